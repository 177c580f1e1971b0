import { SLEEP_STAGES, type SleepSessionRecord, type SleepStage, type SourceIdentity } from '@healthd/model';
import { EVENT_COLUMNS, type EventRow, eventsOf, placed } from './read-events.js';
import type { SourceDatabase } from './source-database.js';

interface SleepDetailRow extends EventRow {
  duration_seconds: number | null;
  asleep_minutes: number | null;
  in_bed_minutes: number | null;
  awake_minutes: number | null;
  light_minutes: number | null;
  deep_minutes: number | null;
  rem_minutes: number | null;
  efficiency: number | null;
  is_nap: boolean | null;
  sleep_stages: unknown;
}

/** Reads nights and naps of these sources, with their stored figures. */
export async function* readSleep(
  database: SourceDatabase,
  sources: ReadonlyMap<string, SourceIdentity>,
  olderVersions: readonly string[],
): AsyncGenerator<SleepSessionRecord> {
  const rows = database.stream<SleepDetailRow>(
    `select ${EVENT_COLUMNS}, e.duration_seconds::float8 as duration_seconds,
            d.sleep_total_duration_minutes::float8 as asleep_minutes, d.sleep_time_in_bed_minutes::float8 as in_bed_minutes,
            d.sleep_awake_minutes::float8 as awake_minutes, d.sleep_light_minutes::float8 as light_minutes,
            d.sleep_deep_minutes::float8 as deep_minutes, d.sleep_rem_minutes::float8 as rem_minutes,
            d.sleep_efficiency_score::float8 as efficiency, d.is_nap, d.sleep_stages
       from ${eventsOf('sleep')}
       left join sleep_details d on d.record_id = e.id order by e.start_datetime, e.id`,
    [[...sources.keys()], olderVersions],
  );
  for await (const row of rows) {
    const source = sources.get(row.data_source_id);
    if (source) yield sessionOf(row, source);
  }
}

function sessionOf(row: SleepDetailRow, source: SourceIdentity): SleepSessionRecord {
  const seconds = (minutes: number | null) => (minutes === null ? undefined : minutes * 60);
  return {
    kind: 'sleep_session',
    ...placed(row, source),
    isNap: row.is_nap ?? false,
    // Falls back to the session's length, as Open Wearables does if the vendor reports no net sleep.
    asleepSeconds: seconds(row.asleep_minutes) ?? row.duration_seconds ?? undefined,
    inBedSeconds: seconds(row.in_bed_minutes),
    awakeSeconds: seconds(row.awake_minutes),
    lightSeconds: seconds(row.light_minutes),
    deepSeconds: seconds(row.deep_minutes),
    remSeconds: seconds(row.rem_minutes),
    efficiencyPercent: row.efficiency || undefined,
    stages: stagesOf(row.sleep_stages),
  };
}

/** Returns the readable stages of a list; undefined if the list contains no readable stage. */
function stagesOf(list: unknown): SleepSessionRecord['stages'] {
  if (!Array.isArray(list)) return undefined;
  const stages = list.flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null) return [];
    const { stage, start_time: start, end_time: end } = item as Record<string, unknown>;
    const startMs = msOfText(start);
    const endMs = msOfText(end);
    return startMs < endMs ? [{ stage: stageOf(stage), startMs, endMs }] : [];
  });
  return stages.length > 0 ? stages : undefined;
}

function stageOf(text: unknown): SleepStage {
  return SLEEP_STAGES.find((stage) => stage === text) ?? 'unknown';
}

/** Parses a time to milliseconds; NaN if it is invalid. A time without an offset is UTC. */
function msOfText(text: unknown): number {
  if (typeof text !== 'string') return Number.NaN;
  return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
}
