import type { ActivitySummary, SleepSession, SourceMetadata, TimeSeriesSample, Workout } from '@healthd/schemas';
import { numberText } from '../ui/amounts.js';
import type { FieldPath } from './fields.js';
import { measuredAt } from './instant.js';
import type { Shape } from './writer.js';

/** Layout of a data route's rows, and the route's page limit. */
export interface DataShape<T> extends Shape<T> {
  maxPage: number;
  noun: string;
  /** Hint for an empty range, up to `--user`. Replaces the default hint. */
  elsewhere?: string;
}

export const SOURCE_FIELDS = [
  'source.provider',
  'source.source',
  'source.device',
  'source.device_type',
  'source.device_name',
] as const satisfies FieldPath<{ source: SourceMetadata }>[];
/** First fields of a night or nap, both in lists and in single records. */
export const SLEEP_FIELDS = [
  'id',
  'start_time',
  'end_time',
  'zone_offset',
  'duration_seconds',
  'sleep_duration_seconds',
  'efficiency_percent',
] as const satisfies FieldPath<SleepSession>[];
/** First fields of a workout, both in lists and in single records. */
export const WORKOUT_FIELDS = [
  'id',
  'type',
  'name',
  'start_time',
  'end_time',
  'zone_offset',
  'duration_seconds',
] as const satisfies FieldPath<Workout>[];
const right = 'right' as const;

export const ACTIVITY: DataShape<ActivitySummary> = {
  maxPage: 400,
  noun: 'day',
  fields: [
    'date',
    'steps',
    'distance_meters',
    'floors_climbed',
    'elevation_meters',
    'active_calories_kcal',
    'total_calories_kcal',
    'active_minutes',
    'sedentary_minutes',
    'intensity_minutes.light',
    'intensity_minutes.moderate',
    'intensity_minutes.vigorous',
    'heart_rate.avg_bpm',
    'heart_rate.min_bpm',
    'heart_rate.max_bpm',
    ...SOURCE_FIELDS,
  ],
  columns: [
    { header: 'Date', cell: (day) => day.date },
    { header: 'Steps', cell: (day) => amount(day.steps), align: right },
    { header: 'km', cell: (day) => kilometers(day.distance_meters), align: right },
    { header: 'Floors', cell: (day) => amount(day.floors_climbed), align: right },
    { header: 'Active kcal', cell: (day) => amount(day.active_calories_kcal), align: right },
    { header: 'Total kcal', cell: (day) => amount(day.total_calories_kcal), align: right },
    { header: 'Active min', cell: (day) => amount(day.active_minutes), align: right },
    { header: 'Heart rate', cell: heartRate, align: right },
    { header: 'Source', cell: (day) => sourceText(day.source), shrinkTo: 8 },
  ],
};

export const SAMPLES: DataShape<TimeSeriesSample> = {
  maxPage: 10_000,
  noun: 'sample',
  fields: ['timestamp', 'zone_offset', 'type', 'value', 'unit', 'is_daily_total', 'provenance', ...SOURCE_FIELDS],
  columns: [
    { header: 'Time', cell: (sample) => measuredAt(sample.timestamp, sample.zone_offset) },
    { header: 'Series', cell: (sample) => sample.type },
    { header: 'Value', cell: (sample) => amount(sample.value, 3), align: right },
    { header: 'Unit', cell: (sample) => sample.unit },
    { header: 'Source', cell: (sample) => sourceText(sample.source), shrinkTo: 8 },
  ],
};

export const SLEEP: DataShape<SleepSession> = {
  maxPage: 100,
  noun: 'session',
  elsewhere: 'This range selects nights by start date. By wake date: healthctl data nights',
  fields: [
    ...SLEEP_FIELDS,
    'stages.awake_minutes',
    'stages.light_minutes',
    'stages.deep_minutes',
    'stages.rem_minutes',
    'is_nap',
    ...SOURCE_FIELDS,
    'sleep_stage_intervals',
  ],
  columns: [
    { header: 'From', cell: (night) => measuredAt(night.start_time, night.zone_offset) },
    { header: 'To', cell: (night) => measuredAt(night.end_time, night.zone_offset) },
    { header: 'Asleep', cell: (night) => hours(night.sleep_duration_seconds), align: right },
    { header: 'In bed', cell: (night) => hours(night.duration_seconds), align: right },
    { header: 'Source', cell: (night) => sourceText(night.source), shrinkTo: 10 },
    { header: 'Deep', cell: (night) => minutes(night.stages?.deep_minutes), align: right },
    { header: 'REM', cell: (night) => minutes(night.stages?.rem_minutes), align: right },
    { header: 'Light', cell: (night) => minutes(night.stages?.light_minutes), align: right },
    { header: 'Type', cell: (night) => (night.is_nap ? 'nap' : 'night') },
    { header: 'ID', cell: (night) => night.id },
  ],
};

export const WORKOUTS: DataShape<Workout> = {
  maxPage: 100,
  noun: 'workout',
  fields: [
    ...WORKOUT_FIELDS,
    'calories_kcal',
    'total_calories_kcal',
    'distance_meters',
    'avg_heart_rate_bpm',
    'max_heart_rate_bpm',
    'avg_pace_sec_per_km',
    'elevation_gain_meters',
    ...SOURCE_FIELDS,
  ],
  columns: [
    { header: 'Start', cell: (workout) => measuredAt(workout.start_time, workout.zone_offset) },
    { header: 'Type', cell: (workout) => workout.type },
    { header: 'Time', cell: (workout) => hours(workout.duration_seconds), align: right },
    { header: 'km', cell: (workout) => kilometers(workout.distance_meters), align: right },
    { header: 'kcal', cell: (workout) => amount(workout.calories_kcal), align: right },
    { header: 'Avg bpm', cell: (workout) => workout.avg_heart_rate_bpm, align: right },
    { header: 'Max bpm', cell: (workout) => workout.max_heart_rate_bpm, align: right },
    { header: 'Source', cell: (workout) => sourceText(workout.source), shrinkTo: 8 },
    { header: 'ID', cell: (workout) => workout.id },
  ],
};

/** Formats a number. Null if unknown. */
export function amount(value: number | null, decimals = 0): string | null {
  return value === null ? null : numberText(value, decimals);
}

function kilometers(meters: number | null): string | null {
  return meters === null ? null : (meters / 1000).toFixed(2);
}

function heartRate({ heart_rate: rate }: ActivitySummary): string | null {
  return rate && `${rate.min_bpm ?? '?'}–${rate.avg_bpm ?? '?'}–${rate.max_bpm ?? '?'}`;
}

/** Returns the device, or the writer of the data. */
export function deviceText(source: SourceMetadata): string | null {
  return source.device_name ?? source.device ?? source.source;
}

/** Returns provider and device, or the writer of the data. */
export function sourceText(source: SourceMetadata): string {
  return [source.provider, deviceText(source)].filter(Boolean).join(' ');
}

function hours(seconds: number | null): string | null {
  if (seconds === null) return null;
  const total = Math.round(seconds / 60);
  return `${Math.floor(total / 60)}:${String(total % 60).padStart(2, '0')}`;
}

/** Formats minutes. */
export function minutes(value: number | null | undefined): string | null {
  return value === null || value === undefined ? null : `${value} min`;
}
