import {
  converter,
  fractionToPercent,
  type RejectionCode,
  type SampleRecord,
  type SeriesCode,
  seriesTypeByCode,
  type WorkoutRecord,
} from '@healthd/model';
import { isObject, numberOf, textOf } from '../payload/index.js';

type NumberField = {
  [K in keyof WorkoutRecord]-?: WorkoutRecord[K] extends number | undefined ? K : never;
}[keyof WorkoutRecord];
type Target =
  | { field: NumberField; unit: string }
  /** One value of a series, stamped with the end of the workout. */
  | { series: SeriesCode; sent: string }
  | { metadata: string; unit?: string }
  | { place: 'indoor' | 'swimming' };

const field = (name: NumberField, unit: string): Target => ({ field: name, unit });

/** Target of each statistic. Values without a unit have the client's default unit. */
const STATISTICS: Readonly<Record<string, Target>> = {
  duration: field('durationSeconds', 's'),
  totalDuration: field('durationSeconds', 's'),
  TOTAL_DURATION: field('durationSeconds', 'ms'),
  activeEnergyBurned: field('caloriesKcal', 'kcal'),
  calories: field('caloriesKcal', 'kcal'),
  totalEnergyBurned: field('caloriesKcal', 'kcal'),
  TOTAL_CALORIES: field('caloriesKcal', 'kcal'),
  basalEnergyBurned: field('basalCaloriesKcal', 'kcal'),
  totalCalories: field('totalCaloriesKcal', 'kcal'),
  distance: field('distanceMeters', 'm'),
  totalDistance: field('distanceMeters', 'm'),
  TOTAL_DISTANCE: field('distanceMeters', 'm'),
  stepCount: field('stepsCount', 'count'),
  totalSteps: field('stepsCount', 'count'),
  minHeartRate: field('heartRateMin', 'bpm'),
  maxHeartRate: field('heartRateMax', 'bpm'),
  averageHeartRate: field('heartRateAvg', 'bpm'),
  meanHeartRate: field('heartRateAvg', 'bpm'),
  averageSpeed: field('averageSpeed', 'm/s'),
  meanSpeed: field('averageSpeed', 'm/s'),
  averageRunningSpeed: field('averageSpeed', 'm/s'),
  maxSpeed: field('maxSpeed', 'm/s'),
  averageRunningPower: field('averageWatts', 'W'),
  meanCadence: field('averageCadence', 'rpm'),
  elevationAscended: field('elevationGainMeters', 'm'),
  altitudeGain: field('elevationGainMeters', 'm'),
  maxAltitude: field('elevationHighMeters', 'm'),
  minAltitude: field('elevationLowMeters', 'm'),
  averageRunningStrideLength: { series: 'running_stride_length', sent: 'm' },
  averageVerticalOscillation: { series: 'running_vertical_oscillation', sent: 'cm' },
  averageGroundContactTime: { series: 'running_ground_contact_time', sent: 'ms' },
  averageMETs: { series: 'average_met', sent: 'met' },
  weatherTemperature: { series: 'weather_temperature', sent: 'degC' },
  weatherHumidity: { series: 'weather_humidity', sent: '%' },
  vo2Max: { series: 'vo2_max', sent: 'ml_kg_min' },
  maxCadence: { metadata: 'max_cadence_rpm', unit: 'rpm' },
  swimmingStrokeCount: { metadata: 'swimming_stroke_count', unit: 'count' },
  elevationDescended: { metadata: 'elevation_loss_meters', unit: 'm' },
  altitudeLoss: { metadata: 'elevation_loss_meters', unit: 'm' },
  lapLength: { metadata: 'lap_length_meters', unit: 'm' },
  indoorWorkout: { place: 'indoor' },
  swimmingLocationType: { place: 'swimming' },
};

/** All supported workout statistics. */
export const STATISTIC_NAMES: readonly string[] = Object.keys(STATISTICS);

/** Series with one value from a workout's statistics; coverage lists them. */
export const STATISTIC_SERIES: readonly SeriesCode[] = Object.values(STATISTICS).flatMap((target) =>
  'series' in target ? [target.series] : [],
);

/** Content of a workout's `values`. */
export interface PushedStatistics {
  figures: { [K in NumberField]?: number };
  metadata: Record<string, number>;
  samples: Pick<SampleRecord, 'typeId' | 'value'>[];
  indoor?: boolean;
  swimmingLocation?: string;
}

/** Called for an unusable entry. The other entries still count. */
export interface StatisticFaults {
  rejected(field: string, code: RejectionCode, detail?: string): void;
  ignored(type: string): void;
}

const LARGEST = 1e12;

/**
 * Reads `values` by declared unit. Active energy and total energy are separate fields. If one of them is missing,
 * derives it from the other field and the basal energy.
 */
export function readStatistics(values: readonly unknown[], faults: StatisticFaults): PushedStatistics {
  const read: PushedStatistics = { figures: {}, metadata: {}, samples: [] };
  for (const [index, entry] of values.entries()) {
    const at = `values[${index}]`;
    const type = isObject(entry) ? textOf(entry.type) : undefined;
    if (!isObject(entry) || type === undefined) {
      faults.rejected(at, isObject(entry) ? 'missing' : 'not_an_object');
      continue;
    }
    const value = numberOf(entry.value);
    if (value === undefined || Math.abs(value) >= LARGEST) {
      faults.rejected(`${at}.value`, value === undefined ? 'invalid_value' : 'implausible', type);
      continue;
    }
    const target = Object.hasOwn(STATISTICS, type) ? STATISTICS[type] : undefined;
    if (target === undefined) {
      faults.ignored(type);
      continue;
    }
    if (!place(read, target, value, textOf(entry.unit))) {
      faults.rejected(`${at}.unit`, 'unknown_unit', `${type}:${textOf(entry.unit)}`);
    }
  }
  completeEnergy(read.figures);
  return read;
}

/** Stores a value in the place that its target names. Returns false if the unit does not fit. */
function place(read: PushedStatistics, target: Target, value: number, unit: string | undefined): boolean {
  if ('place' in target) {
    if (target.place === 'indoor') read.indoor = value !== 0;
    else read.swimmingLocation = String(Math.trunc(value));
    return true;
  }
  if ('series' in target) {
    const series = seriesTypeByCode(target.series);
    const stored = inUnit(value, unit ?? target.sent, series.unit);
    if (stored !== undefined) read.samples.push({ typeId: series.id, value: stored });
    return stored !== undefined;
  }
  const sent = target.unit ?? 'count';
  const stored = inUnit(value, unit ?? sent, sent === 'ms' ? 's' : sent);
  if (stored === undefined) return false;
  if ('metadata' in target) read.metadata[target.metadata] = stored;
  else read.figures[target.field] = target.field === 'stepsCount' ? Math.trunc(stored) : stored;
  return true;
}

/** Converts a value to a unit; undefined if the unit does not fit. A percent value up to 1 counts as a fraction. */
function inUnit(value: number, declared: string, unit: string): number | undefined {
  if (declared === '%') return unit === 'percent' ? (value <= 1 ? fractionToPercent(value) : value) : undefined;
  return converter(declared, unit)?.(value);
}

function completeEnergy(figures: PushedStatistics['figures']): void {
  const { caloriesKcal: active, basalCaloriesKcal: basal, totalCaloriesKcal: total } = figures;
  if (total === undefined && active !== undefined && basal !== undefined) figures.totalCaloriesKcal = active + basal;
  if (active === undefined && total !== undefined && basal !== undefined && total >= basal) {
    figures.caloriesKcal = total - basal;
  }
}
