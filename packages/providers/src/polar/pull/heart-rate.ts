import {
  dayNumber,
  dayStartMs,
  fromDayNumber,
  type HealthRecord,
  MS_PER_MINUTE,
  type ReplacementRecord,
  type SampleRecord,
} from '@healthd/model';
import { z } from 'zod';
import { joinRanges, type Tally, VendorError } from '../../cloud/index.js';
import { isObject, type PayloadObject, readPayload } from '../../payload/index.js';
import { requireAtMost } from '../../rest/index.js';
import { MAX_ITEMS } from './requests.js';
import { aroundDay, continuousId, nightId, replacedSamples, sampleOf } from './source.js';
import { positive } from './values.js';
import type { WallClock } from './wall-clock.js';
import { instantOfWall, timeOfDayMs } from './wall-time.js';

/** A day of continuous heart rates. Requires `date`. */
const DAY = z.object({ heart_rate_samples: z.array(z.unknown()) });
/** A reading. Requires a wall-clock `sample_time`. */
const SAMPLE = z.object({ heart_rate: z.number() });

/**
 * Returns the days of a response: a list, a list under `heart_rates`, or one day.
 * @throws VendorError for any other response, and for too many days or readings
 */
export function heartRateDays(response: unknown): readonly unknown[] {
  if (response === undefined) return [];
  const days = listedDays(response);
  if (days === undefined) throw new VendorError({ code: 'invalid_answer', reason: 'heart_rates' });
  requireAtMost(MAX_ITEMS, days.length);
  requireAtMost(
    MAX_READINGS,
    days.reduce<number>((count, day) => count + readingCount(day), 0),
  );
  return days;
}

function listedDays(response: unknown): readonly unknown[] | undefined {
  if (Array.isArray(response)) return response;
  if (!isObject(response)) return undefined;
  if (Array.isArray(response.heart_rates)) return response.heart_rates;
  return Array.isArray(response.heart_rate_samples) ? [response] : undefined;
}

/** Maximum number of readings, slightly more than one per second of a day. */
const MAX_READINGS = 90_000;

function readingCount(day: unknown): number {
  return isObject(day) && Array.isArray(day.heart_rate_samples) ? day.heart_rate_samples.length : 0;
}

/** A continuous reading within this distance replaces a night's mean. */
export const NEAR_MS = 5 * MS_PER_MINUTE;

/**
 * Returns the heart rates of days. Rejects a day whose clock is unknown, because the vendor reports no offset. Deletes
 * nearby means of nights, which the readings replace.
 */
export function heartRateRecords(days: readonly unknown[], clock: WallClock, tally: Tally): HealthRecord[] {
  return days.flatMap((one): HealthRecord[] => {
    const date = isObject(one) ? one.date : undefined;
    const day = typeof date === 'string' ? dayNumber(date) : undefined;
    if (!isObject(one) || day === undefined) {
      tally.reject(tally.next(), 'date', 'invalid_date');
      return [];
    }
    if (clock.offsetAt(dayStartMs(day)) === undefined) {
      tally.reject(tally.next(), 'date', 'unknown_offset');
      return [];
    }
    const externalId = continuousId(fromDayNumber(day));
    const countFault = (field: string) => tally.rejectUnreadable(tally.next(), field);
    const { heart_rate_samples: samples = [] } = readPayload(DAY, one, countFault);
    const readings = samples.flatMap((sample) =>
      reading(isObject(sample) ? sample : {}, dayStartMs(day), clock, tally),
    );
    return [
      replacedSamples(externalId, ['heart_rate'], aroundDay(day)),
      ...replacedMeans(day, readings),
      ...readings.map((record) => ({ ...record, externalId })),
    ];
  });
}

/** Deletes nightly means near a day's readings. The means belong to the night of this date or of an adjacent date. */
function replacedMeans(day: number, readings: readonly SampleRecord[]): ReplacementRecord[] {
  const near = readings.map(({ startMs }) => ({ startMs: startMs - NEAR_MS + 1, endMs: startMs + NEAR_MS }));
  const nights = [day - 1, day, day + 1].map((date) => nightId(fromDayNumber(date)));
  return joinRanges(near).map((range) => replacedSamples(nights, ['heart_rate'], range));
}

function reading(sample: PayloadObject, midnightMs: number, clock: WallClock, tally: Tally) {
  const index = tally.next();
  const wallMs = midnightMs + timeOfDayMs(sample.sample_time);
  if (Number.isNaN(wallMs)) {
    tally.reject(index, 'sample_time', 'invalid_date');
    return [];
  }
  const value = positive(readPayload(SAMPLE, sample, tally.fault).heart_rate);
  const offsetMinutes = clock.offsetAt(wallMs);
  if (value === undefined || offsetMinutes === undefined) {
    tally.noValue++;
    return [];
  }
  return [sampleOf('heart_rate', 'sample', { startMs: instantOfWall(wallMs, offsetMinutes), offsetMinutes }, value)];
}
