import { MS_PER_DAY, type SeriesCode, seriesTypeIds } from '@healthd/model';
import type { PullDataType } from '../../cloud/index.js';
import { SCOPES } from '../scopes.js';

/** Records are scored hours after they came, and people edit their nights. */
const LATE_MS = 3 * MS_PER_DAY;

const RECOVERY_SERIES = [
  'resting_heart_rate',
  'heart_rate_variability_rmssd',
  'oxygen_saturation',
  'skin_temperature',
] as const satisfies readonly SeriesCode[];
const BODY_SERIES = ['height', 'weight'] as const satisfies readonly SeriesCode[];

/** Series that the data types lead to. */
export const PULLED_SERIES: ReadonlySet<SeriesCode> = new Set([...RECOVERY_SERIES, ...BODY_SERIES, 'respiratory_rate']);

/** Ids of the series that one reading of recoveries replaces. */
export const RECOVERY_TYPE_IDS = seriesTypeIds(RECOVERY_SERIES);

/** All that is read, in this order. Ids are the first words of the vendor's events; of cycles and body there are none. */
export const WHOOP_DATA_TYPES = [
  {
    id: 'sleep',
    part: '247',
    scopes: [SCOPES.sleep],
    latenessMs: LATE_MS,
    stored: { of: 'sleep_sessions' },
    itemsIn: 'sleep_sessions',
    notified: true,
  },
  {
    id: 'recovery',
    part: '247',
    scopes: [SCOPES.recovery],
    latenessMs: LATE_MS,
    stored: { of: 'samples', typeIds: RECOVERY_TYPE_IDS },
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
  {
    id: 'cycle',
    part: '247',
    scopes: [SCOPES.cycles],
    latenessMs: LATE_MS,
    // Scores alone.
    stored: { of: 'samples', typeIds: [] },
    notified: false,
  },
  {
    id: 'body',
    part: '247',
    scopes: [SCOPES.body],
    latenessMs: 0,
    stored: { of: 'samples', typeIds: seriesTypeIds(BODY_SERIES) },
    notified: false,
  },
] as const satisfies readonly PullDataType[];

export type WhoopDataTypeId = (typeof WHOOP_DATA_TYPES)[number]['id'];
