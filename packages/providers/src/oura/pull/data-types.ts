import { MS_PER_DAY, SCORE_CATEGORIES, type ScoreCategory, type SeriesCode, seriesTypeIds } from '@healthd/model';
import type { PullDataType } from '../../cloud/index.js';
import { SCOPES } from '../scopes.js';
import { DAILY_TYPES, type DailyType, seriesOf } from './daily-types.js';

/** A ring keeps what it measured for a week until it is read out. */
const LATE_MS = 7 * MS_PER_DAY;

/** Series that a night has, and the heart rate where that collection may not be read. */
export const NIGHT_SERIES = [
  'heart_rate_variability_rmssd',
  'respiratory_rate',
  'resting_heart_rate',
] as const satisfies readonly SeriesCode[];
const BODY_SERIES = ['height', 'weight'] as const satisfies readonly SeriesCode[];

/** Series that the data types lead to. */
export const PULLED_SERIES: ReadonlySet<SeriesCode> = new Set([
  ...NIGHT_SERIES,
  'heart_rate',
  ...BODY_SERIES,
  ...DAILY_TYPES.flatMap((type) => seriesOf(type)),
]);

/** Categories of scores that the data types lead to. */
export const PULLED_SCORES: readonly ScoreCategory[] = SCORE_CATEGORIES.filter((category) =>
  DAILY_TYPES.some((type: DailyType) => type.score?.category === category),
);

/** All that is read, in this order. Ids are those of the vendor's events; of heart rates and the person there are none. */
export const OURA_DATA_TYPES: readonly PullDataType[] = [
  {
    id: 'sleep',
    part: '247',
    scopes: [SCOPES.daily],
    latenessMs: LATE_MS,
    stored: { of: 'sleep_sessions' },
    itemsIn: 'sleep_sessions',
    notified: true,
  },
  {
    id: 'workout',
    part: 'workouts',
    scopes: [SCOPES.workout],
    latenessMs: LATE_MS,
    stored: { of: 'workouts' },
    itemsIn: 'workouts',
    notified: true,
  },
  ...DAILY_TYPES.map((type): PullDataType => {
    const { id, scope } = type;
    const stored = { of: 'samples', typeIds: seriesTypeIds(seriesOf(type)) } as const;
    return { id, part: '247', scopes: [scope], latenessMs: LATE_MS, stored, notified: true };
  }),
  {
    id: 'heartrate',
    part: '247',
    scopes: [SCOPES.heartRate],
    latenessMs: LATE_MS,
    stored: { of: 'samples', typeIds: seriesTypeIds(['heart_rate']) },
    notified: false,
  },
  {
    id: 'personal_info',
    part: '247',
    scopes: [SCOPES.personal],
    latenessMs: 0,
    stored: { of: 'samples', typeIds: seriesTypeIds(BODY_SERIES) },
    notified: false,
  },
];
