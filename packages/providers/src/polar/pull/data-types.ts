import { MS_PER_DAY, SCORE_CATEGORIES, type ScoreCategory, type SeriesCode } from '@healthd/model';
import type { PullDataType } from '../../cloud/index.js';
import { SCOPE } from '../scopes.js';
import { ACTIVITY_SERIES } from './activity.js';
import { ECG_TEST, NIGHT_TEMPERATURE_SERIES, SPO2_TEST, TEMPERATURE_SERIES, testSeries } from './biosensing.js';
import { LISTED_DAYS } from './exercise-path.js';
import { EXERCISE_SERIES } from './exercise-samples.js';
import { PHYSICAL_SERIES } from './physical-info.js';
import { RECHARGE_SERIES } from './recharge.js';
import { idsOf } from './source.js';
import {
  ACTIVITIES,
  ALERTNESS,
  BEDTIME,
  BODY_TEMPERATURE,
  CARDIO_LOAD,
  ECG,
  EXERCISES,
  HEART_RATE,
  PHYSICAL_INFO,
  RECHARGE,
  SKIN_TEMPERATURE,
  SLEEP,
  SPO2,
} from './type-ids.js';

/** A watch keeps what it measured until it is read out, for weeks if need be. */
const LATE_MS = 14 * MS_PER_DAY;

/** The vendor lists nights and recharges for this long, in one request: each poll takes all of the list. */
const LISTED_NIGHTS_MS = 28 * MS_PER_DAY;

/** Samples of days or nights. @param extra requests beside the one for them: those that find out the clock */
function samples(id: string, series: readonly SeriesCode[], notified: boolean, extra = 0): PullDataType {
  const stored = { of: 'samples', typeIds: idsOf(series) } as const;
  return { id, part: '247', scopes: [SCOPE], latenessMs: LATE_MS, stored, notified, requestsPerPoll: 1 + extra };
}

/** All that is read, in this order. Events report what is `notified`; a recharge and a load go with other events too. */
export const POLAR_DATA_TYPES: readonly PullDataType[] = [
  {
    id: SLEEP,
    part: '247',
    scopes: [SCOPE],
    latenessMs: LISTED_NIGHTS_MS,
    stored: { of: 'sleep_sessions' },
    notified: true,
    // Four weeks of nights begin on 29 dates, of which continuous heart rates are requested.
    requestsPerPoll: 3,
  },
  {
    id: EXERCISES,
    part: 'workouts',
    scopes: [SCOPE],
    latenessMs: LISTED_DAYS * MS_PER_DAY,
    stored: { of: 'workouts' },
    itemsIn: 'workouts',
    notified: true,
  },
  samples(ACTIVITIES, ACTIVITY_SERIES, true, 1),
  // As late as nights, whose means it replaces: 29 dates take two requests.
  { ...samples(HEART_RATE, ['heart_rate'], true, 2), latenessMs: LISTED_NIGHTS_MS },
  { ...samples(RECHARGE, RECHARGE_SERIES, false, 1), latenessMs: LISTED_NIGHTS_MS },
  samples(CARDIO_LOAD, [], false, 1),
  samples(ALERTNESS, [], true),
  samples(BEDTIME, [], true),
  samples(BODY_TEMPERATURE, TEMPERATURE_SERIES, false),
  samples(SKIN_TEMPERATURE, NIGHT_TEMPERATURE_SERIES, false, 1),
  samples(SPO2, testSeries(SPO2_TEST), false),
  samples(ECG, testSeries(ECG_TEST), false),
  { ...samples(PHYSICAL_INFO, PHYSICAL_SERIES, true), latenessMs: 0 },
];

/** Series that the data types lead to. */
export const PULLED_SERIES: ReadonlySet<SeriesCode> = new Set<SeriesCode>([
  'heart_rate',
  ...EXERCISE_SERIES,
  ...ACTIVITY_SERIES,
  ...RECHARGE_SERIES,
  ...TEMPERATURE_SERIES,
  ...NIGHT_TEMPERATURE_SERIES,
  ...testSeries(SPO2_TEST),
  ...testSeries(ECG_TEST),
  ...PHYSICAL_SERIES,
]);

const SCORES: ReadonlySet<ScoreCategory> = new Set(['sleep', 'recovery', 'readiness', 'strain', 'sleep_timing']);
/** Categories of scores that the data types lead to. */
export const PULLED_SCORES: readonly ScoreCategory[] = SCORE_CATEGORIES.filter((category) => SCORES.has(category));
