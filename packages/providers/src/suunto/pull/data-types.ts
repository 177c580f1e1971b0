import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import type { PullDataType } from '../../cloud/index.js';
import { typeIdOf } from '../records/index.js';
import { SCOPE } from '../scopes.js';

/** A watch may be read out a week later; a reading of so long takes as many requests as one of an hour. */
const LATE_MS = 7 * MS_PER_DAY;
const COMMON = { scopes: [SCOPE], latenessMs: LATE_MS, notified: true } as const;
const DAY_AND_NIGHT = { ...COMMON, part: '247' } as const;

/** All that is read, in this order. Totals of days are not pushed. */
export const SUUNTO_DATA_TYPES = [
  { ...COMMON, id: 'workouts', part: 'workouts', stored: { of: 'workouts' } },
  // Those that were uploaded or edited in a time, whenever they were: neither shows in the list by start, nor is an edit pushed.
  {
    ...COMMON,
    id: 'changed_workouts',
    part: 'workouts',
    stored: { of: 'workouts' },
    latenessMs: MS_PER_HOUR,
    notified: false,
  },
  { ...DAY_AND_NIGHT, id: 'sleep', stored: { of: 'sleep_sessions' } },
  { ...DAY_AND_NIGHT, id: 'recovery', stored: { of: 'samples', typeIds: [] } },
  { ...DAY_AND_NIGHT, id: 'activity', stored: { of: 'samples', typeIds: [typeIdOf('heart_rate'), typeIdOf('steps')] } },
  {
    ...DAY_AND_NIGHT,
    id: 'daily_statistics',
    notified: false,
    stored: { of: 'samples', typeIds: [typeIdOf('steps'), typeIdOf('energy')] },
  },
] as const satisfies readonly PullDataType[];

export type SuuntoDataTypeId = (typeof SUUNTO_DATA_TYPES)[number]['id'];
