import { isWorkoutType, type MenstrualCycleRecord, type SourceIdentity, type WorkoutRecord } from '@healthd/model';
import { isOlderVersion } from './older-versions.js';
import { msOf, offsetOf } from './read-samples.js';
import type { SourceDatabase } from './source-database.js';

export const EVENT_CATEGORIES = ['sleep', 'workout', 'menstrual_cycle'] as const;
export type EventCategory = (typeof EVENT_CATEGORIES)[number];

/** Columns of all event rows. */
export interface EventRow {
  id: string;
  data_source_id: string;
  start_ms: number;
  end_ms: number;
  zone_offset: string | null;
}

/**
 * Converts missing details to undefined. `aboveZero` also converts 0, which Open Wearables stores if the vendor sent no
 * value.
 */
const known = (value: number | null) => value ?? undefined;
const aboveZero = (value: number | null) => (value === null || value <= 0 ? undefined : value);

/** SQL for the events `e` of one category. Parameters: sources, and older versions to omit. */
export const eventsOf = (category: EventCategory) =>
  `(select * from event_record e where e.category = '${category}' and e.data_source_id = any ($1::uuid[])
      and not ${isOlderVersion('$2')}) e`;

/** Columns of {@link EventRow}. */
export const EVENT_COLUMNS = `e.id, e.data_source_id, ${msOf('e.start_datetime')} as start_ms,
  ${msOf('e.end_datetime')} as end_ms, e.zone_offset`;

/** Returns the members that every event record has. */
export function placed(row: EventRow, source: SourceIdentity) {
  return {
    source,
    externalId: row.id,
    startMs: row.start_ms,
    endMs: row.end_ms,
    offsetMinutes: offsetOf(row.zone_offset),
  };
}

interface WorkoutDetailRow extends EventRow {
  type: string | null;
  duration_seconds: number | null;
  heart_rate_min: number | null;
  heart_rate_max: number | null;
  heart_rate_avg: number | null;
  energy_burned: number | null;
  distance: number | null;
  steps_count: number | null;
  max_speed: number | null;
  average_speed: number | null;
  average_cadence: number | null;
  max_watts: number | null;
  average_watts: number | null;
  moving_time_seconds: number | null;
  total_elevation_gain: number | null;
  elev_high: number | null;
  elev_low: number | null;
  further: Record<string, string>;
}

const WORKOUT_NUMBERS = [
  'heart_rate_min',
  'heart_rate_max',
  'heart_rate_avg',
  'energy_burned',
  'distance',
  'steps_count',
  'max_speed',
  'average_speed',
  'average_cadence',
  'max_watts',
  'average_watts',
  'moving_time_seconds',
  'total_elevation_gain',
  'elev_high',
  'elev_low',
].map((column) => `d.${column}::float8 as ${column}`);

/** Reads the workouts of these sources. Stores lists that have no field here as JSON text in the metadata. */
export async function* readWorkouts(
  database: SourceDatabase,
  sources: ReadonlyMap<string, SourceIdentity>,
  olderVersions: readonly string[],
): AsyncGenerator<WorkoutRecord> {
  const rows = database.stream<WorkoutDetailRow>(
    `select ${EVENT_COLUMNS}, e.type, e.duration_seconds::float8 as duration_seconds, ${WORKOUT_NUMBERS.join(', ')},
            jsonb_strip_nulls(jsonb_build_object('segments', d.segments::text, 'hr_zones', d.hr_zones::text,
                                                 'power_zones', d.power_zones::text)) as further
       from ${eventsOf('workout')}
       left join workout_details d on d.record_id = e.id order by e.start_datetime, e.id`,
    [[...sources.keys()], olderVersions],
  );
  for await (const row of rows) {
    const source = sources.get(row.data_source_id);
    if (source) yield workoutOf(row, source);
  }
}

function workoutOf(row: WorkoutDetailRow, source: SourceIdentity): WorkoutRecord {
  return {
    kind: 'workout',
    ...placed(row, source),
    type: row.type !== null && isWorkoutType(row.type) ? row.type : 'other',
    durationSeconds: known(row.duration_seconds),
    movingSeconds: known(row.moving_time_seconds),
    caloriesKcal: aboveZero(row.energy_burned),
    distanceMeters: aboveZero(row.distance),
    elevationGainMeters: aboveZero(row.total_elevation_gain),
    stepsCount: known(row.steps_count),
    heartRateMin: aboveZero(row.heart_rate_min),
    heartRateMax: aboveZero(row.heart_rate_max),
    heartRateAvg: aboveZero(row.heart_rate_avg),
    maxSpeed: known(row.max_speed),
    averageSpeed: known(row.average_speed),
    averageCadence: known(row.average_cadence),
    maxWatts: known(row.max_watts),
    averageWatts: known(row.average_watts),
    elevationHighMeters: known(row.elev_high),
    elevationLowMeters: known(row.elev_low),
    metadata: Object.keys(row.further).length > 0 ? row.further : undefined,
  };
}

/** Reads the menstrual cycles of these sources. Renames their details to this service's names. */
export async function* readCycles(
  database: SourceDatabase,
  sources: ReadonlyMap<string, SourceIdentity>,
  olderVersions: readonly string[],
): AsyncGenerator<MenstrualCycleRecord> {
  const rows = database.stream<EventRow & { details: Record<string, unknown> | null }>(
    `select ${EVENT_COLUMNS}, jsonb_strip_nulls(to_jsonb(d) - '{record_id,created_at,updated_at}'::text[]) as details
       from ${eventsOf('menstrual_cycle')}
       left join menstrual_cycle_details d on d.record_id = e.id order by e.start_datetime, e.id`,
    [[...sources.keys()], olderVersions],
  );
  for await (const row of rows) {
    const source = sources.get(row.data_source_id);
    if (source) yield { kind: 'menstrual_cycle', ...placed(row, source), details: row.details ?? {} };
  }
}
