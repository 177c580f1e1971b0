import { dayNumber, dayStartMs, isAnyNear, MS_PER_DAY } from '@healthd/model';
import { type TimeRange, type VendorApi, VendorError, type VendorErrorCode } from '../../cloud/index.js';
import { isObject } from '../../payload/index.js';
import { type RestReading, windowsOf } from '../../rest/index.js';
import { heartRateDays, NEAR_MS } from './heart-rate.js';
import { HEART_RATE, RANGE_DAYS, readList, requestDates, SLEEP } from './requests.js';
import { nightsIn, sleepRecords, fallbacksOf } from './sleep.js';
import { positive } from './values.js';
import { timeOfDayMs, wallMsOf } from './wall-time.js';

/** Errors that concern continuous heart rates only. The nights are still stored. */
const OF_HEART_RATES: readonly VendorErrorCode[] = [
  'scope_missing',
  'not_found',
  'invalid_request',
  'conflict',
  'invalid_answer',
  'unavailable',
];

/** Reads nights. Drops mean heart rates that continuous readings replace. */
export async function readNights({ api, window, tally }: RestReading) {
  const nights = nightsIn(await readList(api, SLEEP, 'nights'), window);
  const isMeasuredNear = await measuredInNights(api, nights);
  const records = sleepRecords(nights, isMeasuredNear ?? (() => false), tally);
  return isMeasuredNear ? records : { records, fallbacks: fallbacksOf(nights) };
}

/**
 * Requests the continuous heart rates of nights that have means.
 * @returns a predicate that is true if a reading exists near a wall-clock time; undefined if the vendor rejects the
 * request for heart rates
 * @throws VendorError if the error also concerns other data types
 */
async function measuredInNights(
  api: VendorApi,
  nights: readonly unknown[],
): Promise<((wallMs: number) => boolean) | undefined> {
  const walls = nights
    .filter(isObject)
    .filter(({ heart_rate_samples: means }) => isObject(means) && Object.keys(means).length > 0)
    .flatMap(({ sleep_start_time: start, sleep_end_time: end }) => [wallMsOf(start), wallMsOf(end)])
    .filter((ms) => !Number.isNaN(ms));
  if (walls.length === 0) return () => false;
  try {
    const measured: number[] = [];
    for (const range of windowsOf(daysOf(walls), RANGE_DAYS)) {
      for (const day of heartRateDays(await requestDates(api, HEART_RATE, range))) {
        for (const wallMs of wallTimes(day)) measured.push(wallMs);
      }
    }
    const times = measured.sort((a, b) => a - b);
    return (wallMs) => isAnyNear(times, wallMs, NEAR_MS);
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    if (OF_HEART_RATES.includes(error.code)) return undefined;
    throw error;
  }
}

/** Returns the whole days from the earliest to the latest wall-clock time. */
function daysOf(walls: readonly number[]): TimeRange {
  const days = walls.map((ms) => Math.floor(ms / MS_PER_DAY));
  const [first, last] = days.reduce<[number, number]>(
    ([least, most], day) => [Math.min(least, day), Math.max(most, day)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return { startMs: dayStartMs(first), endMs: dayStartMs(last + 1) };
}

function wallTimes(one: unknown): number[] {
  const day = isObject(one) && typeof one.date === 'string' ? dayNumber(one.date) : undefined;
  if (!isObject(one) || day === undefined || !Array.isArray(one.heart_rate_samples)) return [];
  return one.heart_rate_samples.filter(isObject).flatMap(({ heart_rate: rate, sample_time: time }) => {
    const wallMs = dayStartMs(day) + timeOfDayMs(time);
    return positive(rate) === undefined || Number.isNaN(wallMs) ? [] : [wallMs];
  });
}
