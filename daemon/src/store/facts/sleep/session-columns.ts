import type { SleepStage } from '@healthd/model';
import type { EventColumn } from '../events/event-columns.js';

/** A session assembled from stages. Seconds are undefined if the stages do not contain them. */
export interface AssembledSession {
  /** The vendor's id of the session, if its stages have an id. */
  externalId?: string;
  /** Session ids of the stages. Contains undefined if a stage has no id. */
  stageIds: ReadonlySet<string | undefined>;
  startMs: number;
  endMs: number;
  /** Offset of the last stage, where the user woke up. */
  offsetMinutes?: number;
  asleepSeconds?: number;
  inBedSeconds: number;
  awakeSeconds?: number;
  lightSeconds?: number;
  deepSeconds?: number;
  remSeconds?: number;
  efficiencyPercent?: number;
  /** Stages in ascending order, without overlaps. */
  stages: { stage: SleepStage; startMs: number; endMs: number }[];
}

/** Converts stages to the API's format. */
function stagesJson(stages: AssembledSession['stages']): object {
  return stages.map(({ stage, startMs, endMs }) => ({
    stage,
    start_time: new Date(startMs).toISOString(),
    end_time: new Date(endMs).toISOString(),
  }));
}

type SessionFacts = Omit<AssembledSession, 'externalId' | 'stageIds' | 'stages' | 'inBedSeconds'> & {
  inBedSeconds?: number;
  stages?: AssembledSession['stages'];
  isNap: boolean;
  sourceId: number;
};

/** Columns of both assembled sessions and vendors' sessions. */
export const SESSION_COLUMNS: EventColumn<SessionFacts>[] = [
  { name: 'source_id', type: 'integer', value: ({ sourceId }) => sourceId },
  { name: 'start_at', type: 'timestamptz', value: ({ startMs }) => startMs },
  { name: 'end_at', type: 'timestamptz', value: ({ endMs }) => endMs },
  { name: 'offset_minutes', type: 'smallint', value: ({ offsetMinutes }) => offsetMinutes },
  { name: 'is_nap', type: 'boolean', value: (row) => row.isNap },
  { name: 'asleep_seconds', type: 'integer', value: ({ asleepSeconds }) => asleepSeconds },
  { name: 'in_bed_seconds', type: 'integer', value: ({ inBedSeconds }) => inBedSeconds },
  { name: 'awake_seconds', type: 'integer', value: ({ awakeSeconds }) => awakeSeconds },
  { name: 'light_seconds', type: 'integer', value: ({ lightSeconds }) => lightSeconds },
  { name: 'deep_seconds', type: 'integer', value: ({ deepSeconds }) => deepSeconds },
  { name: 'rem_seconds', type: 'integer', value: ({ remSeconds }) => remSeconds },
  { name: 'efficiency_percent', type: 'double precision', value: ({ efficiencyPercent }) => efficiencyPercent },
  { name: 'stages', type: 'jsonb', value: ({ stages }) => stages && stagesJson(stages) },
];
