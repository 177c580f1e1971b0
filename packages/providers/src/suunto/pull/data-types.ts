import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import type { PullDataType } from '../../cloud/index.js';
import { typeIdOf } from '../records/index.js';
import { SCOPE } from '../scopes.js';

/** Workouts that are uploaded later than this come by their change. */
const LATE_MS = 7 * MS_PER_DAY;
/**
 * A watch may be read out weeks later, and nothing else says so. With a day between two polls, and what is asked for around them,
 * it is still one request of the 28 days that the vendor gives.
 */
const WATCH_LATE_MS = 25 * MS_PER_DAY;
/** The time of whole days on every clock is up to two days longer. */
const DAYS_LATE_MS = 24 * MS_PER_DAY;
/** Each kind is a product of its own: one that is not subscribed to takes requests to find out. */
const COMMON = { scopes: [SCOPE], latenessMs: LATE_MS, notified: true, refusedForMs: MS_PER_DAY } as const;
const DAY_AND_NIGHT = { ...COMMON, latenessMs: WATCH_LATE_MS, part: '247' } as const;

/** All that is read, in this order. Totals of days are not pushed. */
export const SUUNTO_DATA_TYPES = [
  { ...COMMON, id: 'workouts', part: 'workouts', stored: { of: 'workouts' } },
  { ...DAY_AND_NIGHT, id: 'sleep', stored: { of: 'sleep_sessions' } },
  { ...DAY_AND_NIGHT, id: 'recovery', stored: { of: 'samples', typeIds: [] } },
  { ...DAY_AND_NIGHT, id: 'activity', stored: { of: 'samples', typeIds: [typeIdOf('heart_rate'), typeIdOf('steps')] } },
  {
    ...DAY_AND_NIGHT,
    id: 'daily_statistics',
    latenessMs: DAYS_LATE_MS,
    // They may be at the second of two places.
    requestsPerPoll: 2,
    notified: false,
    stored: { of: 'samples', typeIds: [typeIdOf('steps'), typeIdOf('energy')] },
  },
  // Those that were uploaded or edited in a time, whenever they were: neither shows in the list by start, nor is an edit
  // pushed. They come last, because their files may take more requests than all else.
  {
    ...COMMON,
    id: 'changed_workouts',
    part: 'workouts',
    stored: { of: 'workouts' },
    latenessMs: MS_PER_HOUR,
    notified: false,
  },
] as const satisfies readonly PullDataType[];

export type SuuntoDataTypeId = (typeof SUUNTO_DATA_TYPES)[number]['id'];
