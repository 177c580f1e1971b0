import type { SleepStage } from '@healthd/model';
import type { EventColumn } from '../events/event-columns.js';

/** A session built from stages. Seconds are undefined where the stages do not say. */
export interface AssembledSession {
  /** The vendor's id of the session, where its stages carry one. */
  externalId?: string;
  /** The ids that its stages carry; with undefined where one carries none. */
  stageIds: ReadonlySet<string | undefined>;
  startMs: number;
  endMs: number;
  /** Of the last stage: where the person woke up. */
  offsetMinutes?: number;
  asleepSeconds?: number;
  inBedSeconds: number;
  awakeSeconds?: number;
  lightSeconds?: number;
  deepSeconds?: number;
  remSeconds?: number;
  efficiencyPercent?: number;
  /** Free of overlap, ascending. */
  stages: { stage: SleepStage; startMs: number; endMs: number }[];
}

/** Stages as the API shows them. */
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

/** Columns that assembled sessions and those of vendors share. */
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
