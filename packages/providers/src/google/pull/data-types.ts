import { MS_PER_DAY, type SeriesCode, seriesTypeIds } from '@healthd/model';
import type { PullDataType, StoredAs } from '../../cloud/index.js';
import { SCOPES } from '../scopes.js';
import type { SeriesType } from './data-type.js';
import { TOTAL_ENERGY } from './read-basal-energy.js';
import { SERIES_TYPES_READ } from './series-types.js';

/** How to read a data type. */
type Reading =
  /** The type, followed by its fallbacks for dates without values. */
  | { kind: 'series'; types: readonly [SeriesType, ...SeriesType[]] }
  | { kind: 'basal_energy' }
  | { kind: 'sleep' }
  | { kind: 'exercise' };

export interface GoogleDataType extends PullDataType {
  reading: Reading;
}

/** Overlap window for samples, because a device may upload samples hours or days later. */
const SAMPLES_LATE_MS = 2 * MS_PER_DAY;
const SESSIONS_LATE_MS = 3 * MS_PER_DAY;
/** Overlap window for daily values, which are computed after the night, and again after a later upload. */
const DAYS_LATE_MS = 7 * MS_PER_DAY;

const T = SERIES_TYPES_READ;

/**
 * Data types in reading order: sessions first, because they show the user's UTC offset, then the most visible data.
 * Fallback types are read with their main type. They have no notifications, so the main type is polled in webhook mode
 * too.
 */
export const GOOGLE_DATA_TYPES: readonly GoogleDataType[] = [
  {
    id: 'sleep',
    part: '247',
    ...late(SESSIONS_LATE_MS, 'sleep', true),
    stored: { of: 'sleep_sessions' },
    reading: { kind: 'sleep' },
  },
  {
    id: 'exercise',
    part: 'workouts',
    ...late(SESSIONS_LATE_MS, 'activity', true),
    stored: { of: 'workouts' },
    reading: { kind: 'exercise' },
  },
  samples('activity', true, T.steps),
  samples('activity', true, T.distance),
  samples('activity', false, T.floors),
  samples('activity', false, T.activeEnergy),
  {
    id: TOTAL_ENERGY,
    part: '247',
    ...late(SAMPLES_LATE_MS, 'activity', false),
    stored: samplesOf(['basal_energy']),
    reading: { kind: 'basal_energy' },
  },
  samples('activity', false, T.activeMinutes),
  days('health', true, T.restingHeartRate),
  days('health', false, T.variability, T.dailyVariability),
  days('health', true, T.respiration),
  days('health', false, T.saturation, T.dailySaturation),
  days('health', false, T.skinTemperature),
  days('activity', false, T.runVo2Max, T.dailyVo2Max, T.vo2Max),
  samples('health', true, T.heartRate),
  samples('health', true, T.weight),
  samples('health', true, T.bodyFat),
  samples('health', false, T.height),
  samples('health', true, T.glucose),
  samples('health', false, T.coreTemperature),
  samples('nutrition', true, T.hydration),
];

const BY_ID = new Map(GOOGLE_DATA_TYPES.map((type) => [type.id, type]));

/** Returns the data type with this ID; undefined if it is unknown. */
export function googleDataType(id: string): GoogleDataType | undefined {
  return BY_ID.get(id);
}

function samples(scope: keyof typeof SCOPES, notified: boolean, type: SeriesType): GoogleDataType {
  return {
    id: type.id,
    part: '247',
    ...late(SAMPLES_LATE_MS, scope, notified),
    ...series([type]),
  };
}

function days(
  scope: keyof typeof SCOPES,
  notified: boolean,
  ...types: readonly [SeriesType, ...SeriesType[]]
): GoogleDataType {
  return { id: types[0].id, part: '247', ...late(DAYS_LATE_MS, scope, notified), ...series(types) };
}

function series(types: readonly [SeriesType, ...SeriesType[]]): Pick<GoogleDataType, 'stored' | 'reading'> {
  return {
    stored: samplesOf(types.flatMap(({ values }) => values.map((value) => value.series))),
    reading: { kind: 'series', types },
  };
}

function samplesOf(codes: readonly SeriesCode[]): StoredAs {
  return { of: 'samples', typeIds: seriesTypeIds(codes) };
}

function late(latenessMs: number, scope: keyof typeof SCOPES, notified: boolean) {
  return { latenessMs, scopes: [SCOPES[scope]], notified };
}
