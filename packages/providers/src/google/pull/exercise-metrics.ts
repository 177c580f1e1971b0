import type { WorkoutRecord } from '@healthd/model';
import type { PayloadObject } from '../../payload/index.js';
import { durationSeconds, memberAt, numberAt } from './member-values.js';

export type ExerciseFigures = Pick<
  WorkoutRecord,
  | 'totalCaloriesKcal'
  | 'distanceMeters'
  | 'stepsCount'
  | 'heartRateAvg'
  | 'averageSpeed'
  | 'elevationGainMeters'
  | 'averageCadence'
>;

/** Figures stored in the metadata: key, path in the summary, divisor. */
const FURTHER: readonly (readonly [key: string, path: string, per: number])[] = [
  ['average_pace_seconds_per_km', 'averagePaceSecondsPerMeter', 1 / 1000],
  ['active_zone_minutes', 'activeZoneMinutes', 1],
  ['stride_length_meters', 'mobilityMetrics.avgStrideLengthMillimeters', 1000],
  ['vertical_oscillation_cm', 'mobilityMetrics.avgVerticalOscillationMillimeters', 10],
  ['vertical_ratio_percent', 'mobilityMetrics.avgVerticalRatio', 1],
  ['run_vo2_max_ml_kg_min', 'runVo2Max', 1],
  ['swim_lengths', 'totalSwimLengths', 1],
];
/** Durations stored in the metadata: key and path. */
const FURTHER_SECONDS: readonly (readonly [key: string, path: string])[] = [
  ['light_zone_seconds', 'heartRateZoneDurations.lightTime'],
  ['moderate_zone_seconds', 'heartRateZoneDurations.moderateTime'],
  ['vigorous_zone_seconds', 'heartRateZoneDurations.vigorousTime'],
  ['peak_zone_seconds', 'heartRateZoneDurations.peakTime'],
  ['ground_contact_seconds', 'mobilityMetrics.avgGroundContactTimeDuration'],
];

/** Converts an exercise summary to workout figures. Its energy is the total, not only active energy. */
export function exerciseFigures(summary: PayloadObject): ExerciseFigures {
  return {
    totalCaloriesKcal: numberAt(summary, 'caloriesKcal'),
    distanceMeters: distanceMeters(summary),
    stepsCount: numberAt(summary, 'steps'),
    heartRateAvg: numberAt(summary, 'averageHeartRateBeatsPerMinute'),
    averageSpeed: divided(numberAt(summary, 'averageSpeedMillimetersPerSecond'), 1000),
    elevationGainMeters: divided(numberAt(summary, 'elevationGainMillimeters'), 1000),
    // The model stores steps per minute as rpm.
    averageCadence: numberAt(summary, 'mobilityMetrics.avgCadenceStepsPerMinute'),
  };
}

/** Returns the remaining figures, with the unit in the key. */
export function exerciseMetadata(summary: PayloadObject): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [key, path, per] of FURTHER) {
    const value = divided(numberAt(summary, path), per);
    if (value !== undefined) found[key] = value;
  }
  for (const [key, path] of FURTHER_SECONDS) {
    const seconds = durationSeconds(memberAt(summary, path));
    if (seconds !== undefined) found[key] = seconds;
  }
  return found;
}

/**
 * Returns the distance. Accepts two spellings of the member, because one of the vendor's guides spells it differently.
 */
export function distanceMeters(summary: PayloadObject): number | undefined {
  return divided(numberAt(summary, 'distanceMillimeters') ?? numberAt(summary, 'distanceMillimiters'), 1000);
}

function divided(value: number | undefined, by: number): number | undefined {
  return value === undefined ? undefined : Number((value / by).toPrecision(15));
}
