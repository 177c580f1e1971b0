import { dayStartMs, MS_PER_DAY } from '@healthd/model';
import {
  type PullMode,
  type TimeRange,
  TOO_LARGE,
  TOO_MANY_ITEMS,
  type VendorApi,
  VendorError,
} from '../cloud/index.js';
import { isObject } from '../payload/index.js';
import { type RestReading, restProvider, type TimedRestType, windowsOf } from '../rest/index.js';
import { vendorTerms } from '../terms.js';
import { POLAR_OAUTH, SCOPE } from './oauth.js';
import { ACTIVITY_SERIES, activityRecords } from './pull/activity.js';
import {
  bodyTemperatureRecords,
  ECG_TEST,
  NIGHT_TEMPERATURE_SERIES,
  SPO2_TEST,
  skinTemperatureRecords,
  TEMPERATURE_SERIES,
  temperaturePeriods,
  testRecords,
  testSeries,
} from './pull/biosensing.js';
import { cardioLoadRecords } from './pull/cardio-load.js';
import { EXERCISE_SERIES, READ_SAMPLES, readsSamples } from './pull/exercise-samples.js';
import { instantOfExercise, locateExercise, readExercises } from './pull/exercises.js';
import { heartRateDays, heartRateRecords } from './pull/heart-rate.js';
import { PHYSICAL_SERIES, physicalSamples } from './pull/physical-info.js';
import { readNights } from './pull/read-nights.js';
import { RECHARGE_SERIES, rechargeRecords } from './pull/recharge.js';
import {
  ACTIVITIES,
  ALERTNESS,
  BEDTIME,
  BODY_TEMPERATURE,
  CARDIO_LOAD,
  ECG,
  EXERCISES,
  exercisePath,
  HEART_RATE,
  LISTED_DAYS,
  listExercises,
  PHYSICAL_INFO,
  RANGE_DAYS,
  RECHARGE,
  readDates,
  readList,
  requestDates,
  requestUser,
  SKIN_TEMPERATURE,
  SLEEP,
  SPO2,
  undefinedIfMissing,
} from './pull/requests.js';
import { alertnessRecords, bedtimeRecords } from './pull/sleepwise.js';
import { readWallClock, type WallClock } from './pull/wall-clock.js';
import { readPolarError, remaining } from './rate-limit.js';
import { POLAR_SUBSCRIBERS } from './subscribers.js';
import { POLAR_WEBHOOK } from './webhook.js';

/** Oldest date that can be requested, in days before today. The vendor rejects more than 365. */
const OLDEST_DAYS = 364;
/**
 * Window length if exercise samples are read. Each exercise costs one request, and a window must fit into the quota.
 */
const SAMPLED_DAYS = 5;
/** Overlap window. A watch can store measurements for weeks before it syncs. */
const LATE_MS = 14 * MS_PER_DAY;
/** Period for which the vendor lists nights and recharges, in one request. Each poll reads the whole list. */
const LISTED_NIGHTS_MS = 28 * MS_PER_DAY;
const ALL_PARTS = { samples: 'true', zones: 'true', route: 'true' };
const COMMON = { part: '247', scopes: [SCOPE], latenessMs: LATE_MS } as const;
/** Data types that the vendor serves by date. */
const DATED = { ...COMMON, window: dateWindows } as const;
/** Requests per poll if one of them reads the user's clock. */
const WITH_CLOCK = { requestsPerPoll: 2 } as const;

/** Polar: nights, days and exercises of watches and sensors in the vendor's cloud. The API is AccessLink, version 3. */
export const POLAR = restProvider({
  id: 'polar',
  displayName: 'Polar',
  // Days of activity that the vendor returns. It returns nights, recharges and exercises of the last four weeks only.
  maxHistoricalDays: 365,
  terms: vendorTerms({}),
  settingsPrefix: 'POLAR',
  settings: [
    {
      name: READ_SAMPLES,
      kind: 'boolean',
      default: 'false',
      help: 'Also read the samples of each exercise: heart rate, speed, cadence, power, elevation and position. Needs one more request per exercise',
    },
  ],
  addresses: {
    api: 'https://www.polaraccesslink.com',
    authorize: 'https://flow.polar.com/oauth2/authorization',
    token: 'https://polarremote.com/v2/oauth2/token',
  },
  // 500 requests in 15 minutes and 5,000 per day, plus an allowance per user. Responses contain the actual limits.
  quotas: {
    perUserAndMinute: 60,
    perApplicationAndMinute: 300,
    perApplicationAndDay: 5_000,
    perUserAndDay: 100,
    limitsInAnswers: true,
    remaining,
  },
  // Four weeks of heart rates, or one exercise with a sample per second.
  maxResponseBytes: 32 * 1024 * 1024,
  readError: readPolarError,
  oauth: POLAR_OAUTH,
  webhook: POLAR_WEBHOOK,
  subscribers: POLAR_SUBSCRIBERS,
  types: [
    {
      ...COMMON,
      id: SLEEP,
      latenessMs: LISTED_NIGHTS_MS,
      // Four weeks of nights span 29 dates. Their continuous heart rates take further requests.
      requestsPerPoll: 3,
      window: oneWindow,
      gives: {
        series: ['heart_rate'],
        sleepFields: [
          'is_nap',
          'sleep_awake_minutes',
          'sleep_deep_minutes',
          'sleep_light_minutes',
          'sleep_rem_minutes',
          'sleep_stages',
          'sleep_time_in_bed_minutes',
          'sleep_total_duration_minutes',
        ],
        scores: ['sleep'],
      },
      read: readNights,
    },
    {
      ...COMMON,
      id: EXERCISES,
      part: 'workouts',
      latenessMs: LISTED_DAYS * MS_PER_DAY,
      itemsIn: 'workouts',
      window: exerciseWindows,
      gives: {
        // The operator must enable samples for these series and for the elevations.
        series: EXERCISE_SERIES,
        workoutFields: [
          'average_speed',
          'distance',
          'elev_high',
          'elev_low',
          'energy_burned',
          'heart_rate_avg',
          'heart_rate_max',
        ],
      },
      read: readExercises,
      locate: locateExercise,
    },
    {
      ...DATED,
      ...WITH_CLOCK,
      id: ACTIVITIES,
      gives: { series: ACTIVITY_SERIES },
      read: onWallClock(({ api, window }) => readDates(api, ACTIVITIES, window, { steps: 'true' }), activityRecords),
    },
    {
      ...DATED,
      id: HEART_RATE,
      // The same overlap as for nights, because heart rates replace the nights' means. 29 dates take two requests, and
      // the user's clock takes a third request.
      latenessMs: LISTED_NIGHTS_MS,
      requestsPerPoll: 3,
      gives: { series: ['heart_rate'] },
      read: onWallClock(({ api, window }) => readHeartRateDays(api, window), heartRateRecords),
    },
    {
      ...COMMON,
      ...WITH_CLOCK,
      id: RECHARGE,
      latenessMs: LISTED_NIGHTS_MS,
      // Only sleep events trigger this reading.
      isAlwaysPolled: true,
      window: oneWindow,
      gives: { series: RECHARGE_SERIES, scores: ['recovery'] },
      read: onWallClock(
        ({ api }) => readList(api, RECHARGE, 'recharges'),
        (recharges, clock, tally, { window }) => rechargeRecords(recharges, window, clock, tally),
      ),
    },
    {
      ...DATED,
      ...WITH_CLOCK,
      id: CARDIO_LOAD,
      // Only sleep and exercise events trigger this reading.
      isAlwaysPolled: true,
      gives: { scores: ['strain'] },
      read: onWallClock(({ api, window }) => readDates(api, `${CARDIO_LOAD}/date`, window), cardioLoadRecords),
    },
    {
      ...DATED,
      id: ALERTNESS,
      gives: { scores: ['readiness'] },
      read: onDates(`sleepwise/${ALERTNESS}/date`, alertnessRecords),
    },
    {
      ...DATED,
      id: BEDTIME,
      gives: { scores: ['sleep_timing'] },
      read: onDates(`sleepwise/${BEDTIME}/date`, bedtimeRecords),
    },
    {
      ...DATED,
      id: BODY_TEMPERATURE,
      gives: { series: TEMPERATURE_SERIES },
      read: async ({ api, window, tally }: RestReading) =>
        bodyTemperatureRecords(
          await byDayIfExcessive(window, async () =>
            temperaturePeriods(await readDates(api, `biosensing/${BODY_TEMPERATURE}`, window)),
          ),
          tally,
        ),
    },
    {
      ...DATED,
      ...WITH_CLOCK,
      id: SKIN_TEMPERATURE,
      gives: { series: NIGHT_TEMPERATURE_SERIES },
      read: onWallClock(
        ({ api, window }) => readDates(api, `biosensing/${SKIN_TEMPERATURE}`, window),
        skinTemperatureRecords,
      ),
    },
    {
      ...DATED,
      id: SPO2,
      gives: { series: testSeries(SPO2_TEST) },
      read: onDates(`biosensing/${SPO2}`, (tests, tally) => testRecords(SPO2_TEST, tests, tally)),
    },
    {
      ...DATED,
      id: ECG,
      gives: { series: testSeries(ECG_TEST) },
      read: onDates(`biosensing/${ECG}`, (tests, tally) => testRecords(ECG_TEST, tests, tally)),
    },
    {
      ...COMMON,
      id: PHYSICAL_INFO,
      latenessMs: 0,
      window: 'now',
      gives: { series: PHYSICAL_SERIES },
      read: async ({ api, tally }, nowMs) =>
        physicalSamples(await undefinedIfMissing(requestUser(api, PHYSICAL_INFO)), nowMs, tally),
    },
  ],
  // Exercises in the vendor's format. The vendor lists only the last 30 days.
  workouts: {
    dataType: EXERCISES,
    async list(api, { since, limit }) {
      const exercises = await listExercises(api, { zones: 'true' });
      const sinceMs = since?.getTime() ?? Number.NEGATIVE_INFINITY;
      return exercises
        .filter(isObject)
        .map((exercise) => ({ exercise, atMs: instantOfExercise(exercise) }))
        .filter(({ atMs }) => !(atMs < sinceMs))
        .sort((a, b) => b.atMs - a.atMs)
        .slice(0, limit)
        .map(({ exercise }) => exercise);
    },
    async get(api, id) {
      const path = exercisePath(id);
      if (path === undefined) throw new VendorError({ code: 'not_found' });
      return api.call({ path, query: ALL_PARTS });
    },
  },
});

/** Window of a list without a range. The vendor always returns the last weeks. */
function oneWindow(range: TimeRange): readonly TimeRange[] {
  return [range];
}

/** Returns windows of whole dates that cover the range in every time zone. */
function dateWindows({ startMs, endMs }: TimeRange): readonly TimeRange[] {
  const oldestDay = Math.floor(Date.now() / MS_PER_DAY) - OLDEST_DAYS;
  const firstDay = Math.max(Math.floor(startMs / MS_PER_DAY) - 1, oldestDay);
  const endDay = Math.ceil(endMs / MS_PER_DAY) + 1;
  return windowsOf({ startMs: dayStartMs(firstDay), endMs: dayStartMs(endDay) }, RANGE_DAYS);
}

/**
 * Returns windows for exercises. If samples are read, returns small windows for the listed period, and one window for
 * exercises that were uploaded late.
 */
function exerciseWindows({ startMs, endMs }: TimeRange, mode: PullMode): readonly TimeRange[] {
  if (!readsSamples(mode)) return oneWindow({ startMs, endMs });
  const listedMs = Math.max(startMs, endMs - LISTED_DAYS * MS_PER_DAY);
  const late = listedMs > startMs ? [{ startMs, endMs: listedMs }] : [];
  return [...windowsOf({ startMs: listedMs, endMs }, SAMPLED_DAYS), ...late];
}

type Records = Awaited<ReturnType<TimedRestType['read']>>;

/** Returns a reader for items by date whose times are UTC or have an offset. */
function onDates(
  path: string,
  recordsOf: (items: readonly unknown[], tally: RestReading['tally']) => Records,
): TimedRestType['read'] {
  return async ({ api, window, tally }) => recordsOf(await readDates(api, path, window), tally);
}

function readHeartRateDays(api: VendorApi, window: TimeRange): Promise<readonly unknown[]> {
  return byDayIfExcessive(window, async () =>
    heartRateDays(await undefinedIfMissing(requestDates(api, HEART_RATE, window))),
  );
}

/**
 * Makes the caller retry a window day by day if its response exceeds a limit.
 * @throws VendorError
 */
async function byDayIfExcessive<T>({ startMs, endMs }: TimeRange, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isExcessive = error instanceof VendorError && (error.reason === TOO_MANY_ITEMS || error.reason === TOO_LARGE);
    if (!isExcessive || endMs - startMs <= MS_PER_DAY) throw error;
    throw new VendorError({ code: 'range_too_long', longestMs: MS_PER_DAY });
  }
}

/**
 * Returns a reader for items whose times are wall-clock times without an offset.
 * @param list requests the items. The clock is not requested if there are no items.
 */
function onWallClock(
  list: (reading: RestReading) => Promise<readonly unknown[]>,
  recordsOf: (
    items: readonly unknown[],
    clock: WallClock,
    tally: RestReading['tally'],
    reading: RestReading,
  ) => Records,
): TimedRestType['read'] {
  return async (reading) => {
    const items = await list(reading);
    if (items.length === 0) return [];
    return recordsOf(items, await readWallClock(reading.api, reading.account.userTimeZone), reading.tally, reading);
  };
}
