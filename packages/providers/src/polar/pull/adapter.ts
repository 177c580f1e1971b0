import { dayStartMs, type HealthRecord, MS_PER_DAY } from '@healthd/model';
import {
  type PullAdapter,
  type PullMode,
  Tally,
  type TimeRange,
  type VendorAccount,
  type VendorApi,
  VendorError,
  type WindowReading,
} from '../../cloud/index.js';
import { isObject } from '../../payload/index.js';
import { readingOf, windowsOf } from '../../rest/index.js';
import { activityRecords } from './activity.js';
import { askRange, RANGE_DAYS, USERS } from './ask-range.js';
import { bodyTemperatureRecords, ECG_TEST, SPO2_TEST, skinTemperatureRecords, testRecords } from './biosensing.js';
import { cardioLoadRecords } from './cardio-load.js';
import { POLAR_DATA_TYPES } from './data-types.js';
import { LISTED_DAYS } from './exercise-path.js';
import { readsSamples } from './exercise-samples.js';
import { locateExercise, readExercises } from './exercises.js';
import { heartRateDays, heartRateRecords } from './heart-rate.js';
import { measuredInNights } from './measured-times.js';
import { physicalSamples } from './physical-info.js';
import { rechargeRecords } from './recharge.js';
import { nightsIn, sleepRecords, standInsOf } from './sleep.js';
import { alertnessRecords, bedtimeRecords } from './sleepwise.js';
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
import { readWallClock } from './wall-clock.js';

/** Days before today for which the vendor can be asked; it refuses more than 365. */
const OLDEST_DAYS = 364;
/** Each exercise takes a request where its readings are read: what was begun must end before the quota does. */
const SAMPLED_DAYS = 5;

/** Lists without a range: the vendor always gives the last weeks. */
const LISTS: ReadonlySet<string> = new Set([SLEEP, EXERCISES, RECHARGE, PHYSICAL_INFO]);

/** Reads the vendor's API by the calls that need no transaction. */
export const POLAR_PULL: PullAdapter = {
  dataTypes: POLAR_DATA_TYPES,
  // The vendor knows no zone of an account; nights and exercises have offsets of their own.
  account: async (_api, scopes) => ({ scopes }),
  windows,
  read,
  locate: (api, _dataType, itemId) => locateExercise(api, itemId),
};

/** Days are read by whole dates, of every clock that the range can touch. */
function windows(dataType: string, range: TimeRange, mode: PullMode): readonly TimeRange[] {
  const { startMs, endMs } = range;
  if (endMs <= startMs) return [];
  if (dataType === EXERCISES && readsSamples(mode.configuration.values)) return exerciseWindows(range);
  if (LISTS.has(dataType)) return [range];
  const oldestDay = Math.floor(Date.now() / MS_PER_DAY) - OLDEST_DAYS;
  const firstDay = Math.max(Math.floor(startMs / MS_PER_DAY) - 1, oldestDay);
  const endDay = Math.ceil(endMs / MS_PER_DAY) + 1;
  return windowsOf({ startMs: dayStartMs(firstDay), endMs: dayStartMs(endDay) }, RANGE_DAYS);
}

/** Small ones as far back as exercises are listed, and one for those that were uploaded late. */
function exerciseWindows({ startMs, endMs }: TimeRange): TimeRange[] {
  const listedMs = Math.max(startMs, endMs - LISTED_DAYS * MS_PER_DAY);
  const late = listedMs > startMs ? [{ startMs, endMs: listedMs }] : [];
  return [...windowsOf({ startMs: listedMs, endMs }, SAMPLED_DAYS), ...late];
}

async function read(
  api: VendorApi,
  dataType: string,
  window: TimeRange,
  mode: PullMode,
  { userTimeZone }: VendorAccount,
): Promise<WindowReading> {
  const tally = new Tally(dataType);
  if (dataType === PHYSICAL_INFO) {
    const states = physicalSamples(
      await undefinedIfMissing(api.call({ path: `${USERS}/${PHYSICAL_INFO}` })),
      Date.now(),
      tally,
    );
    return { ...readingOf([], tally), states };
  }
  if (dataType === SLEEP) return readNights(api, window, tally);
  return readingOf(await readRecords(api, dataType, window, mode, tally, userTimeZone), tally);
}

async function readNights(api: VendorApi, window: TimeRange, tally: Tally): Promise<WindowReading> {
  const nights = nightsIn(await readList(api, SLEEP, 'nights'), window);
  const isMeasuredNear = await measuredInNights(api, nights);
  const reading = readingOf(sleepRecords(nights, isMeasuredNear ?? (() => false), tally), tally);
  return isMeasuredNear ? reading : { ...reading, standIns: standInsOf(nights) };
}

async function readRecords(
  api: VendorApi,
  dataType: string,
  window: TimeRange,
  mode: PullMode,
  tally: Tally,
  zone: string | undefined,
): Promise<HealthRecord[]> {
  switch (dataType) {
    case EXERCISES:
      return readExercises(api, window, mode.configuration.values, tally);
    case ACTIVITIES: {
      const days = await readRange(api, ACTIVITIES, window, { steps: 'true' });
      return days.length === 0 ? [] : activityRecords(days, await readWallClock(api, zone), tally);
    }
    case HEART_RATE: {
      const days = heartRateDays(await undefinedIfMissing(askRange(api, HEART_RATE, window)));
      return days.length === 0 ? [] : heartRateRecords(days, await readWallClock(api, zone), tally);
    }
    case RECHARGE: {
      const recharges = await readList(api, RECHARGE, 'recharges');
      return recharges.length === 0 ? [] : rechargeRecords(recharges, window, await readWallClock(api, zone), tally);
    }
    case CARDIO_LOAD: {
      const days = await readRange(api, `${CARDIO_LOAD}/date`, window);
      return days.length === 0 ? [] : cardioLoadRecords(days, await readWallClock(api, zone), tally);
    }
    case ALERTNESS:
      return alertnessRecords(await readRange(api, `sleepwise/${ALERTNESS}/date`, window), tally);
    case BEDTIME:
      return bedtimeRecords(await readRange(api, `sleepwise/${BEDTIME}/date`, window), tally);
    case BODY_TEMPERATURE:
      return bodyTemperatureRecords(await readRange(api, `biosensing/${BODY_TEMPERATURE}`, window), tally);
    case SKIN_TEMPERATURE: {
      const nights = await readRange(api, `biosensing/${SKIN_TEMPERATURE}`, window);
      return nights.length === 0 ? [] : skinTemperatureRecords(nights, await readWallClock(api, zone), tally);
    }
    case SPO2:
      return testRecords(SPO2_TEST, await readRange(api, `biosensing/${SPO2}`, window), tally);
    case ECG:
      return testRecords(ECG_TEST, await readRange(api, `biosensing/${ECG}`, window), tally);
    default:
      throw new VendorError({ code: 'invalid_request', reason: 'unknown_data_type' });
  }
}

/** The list under a member of the answer; no content is an empty one. @throws VendorError */
async function readList(api: VendorApi, path: string, member: string): Promise<readonly unknown[]> {
  const answer = await api.call({ path: `${USERS}/${path}` });
  const list = answer === undefined ? [] : isObject(answer) ? answer[member] : undefined;
  if (!Array.isArray(list)) throw new VendorError({ code: 'invalid_answer', reason: member });
  return list;
}

/** The items of some dates; no content is none. @throws VendorError */
async function readRange(
  api: VendorApi,
  path: string,
  window: TimeRange,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly unknown[]> {
  const answer = (await askRange(api, path, window, query)) ?? [];
  if (!Array.isArray(answer)) throw new VendorError({ code: 'invalid_answer', reason: 'list' });
  return answer;
}

/** The vendor answers 404 where it has no data of a person or of a range. @throws VendorError */
async function undefinedIfMissing(asked: Promise<unknown>): Promise<unknown> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof VendorError && error.code === 'not_found') return undefined;
    throw error;
  }
}
