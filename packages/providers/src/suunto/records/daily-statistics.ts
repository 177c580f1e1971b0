import {
  dayNumber,
  dayStartMs,
  type HealthRecord,
  MAX_OFFSET_MS,
  type SampleRecord,
  type SeriesCode,
} from '@healthd/model';
import { z } from 'zod';
import type { Tally } from '../../cloud/index.js';
import { isObject, readPayload, textOf } from '../../payload/index.js';
import { offsetOfTime, requireAtMost } from '../../rest/index.js';
import { kcalOfJoules, typeIdOf } from './series.js';
import { replacedWindow, SUUNTO_SOURCE } from './source.js';

/** A day's total on one device: at local midnight, with or without an offset. */
const DAY = z.object({ TimeISO8601: z.string(), Value: z.number() });

/** Maximum number of totals of one device, far more than 28 days have. */
const MAX_SAMPLES = 1_000;

/** Local days, counted from 1970-01-01. */
export interface DayRange {
  firstDay: number;
  /** Exclusive. */
  endDay: number;
}

interface DayTotal {
  day: number;
  total: SampleRecord;
}

interface Statistic {
  code: SeriesCode;
  convert(value: number | undefined): number | undefined;
}

/** The vendor's statistics by name, with their series. */
const STATISTICS: Readonly<Record<string, Statistic>> = {
  stepcount: { code: 'steps', convert: (value) => value },
  energyconsumption: { code: 'energy', convert: kcalOfJoules },
};

/** Series of statistics. */
export const DAILY_SERIES: readonly SeriesCode[] = Object.values(STATISTICS).map(({ code }) => code);

/**
 * Returns daily totals with the same source as the ten-minute records, which name no device. Because of the shared
 * source, a total counts for its day regardless of the number of records. Several devices count the same steps, so the
 * largest total of each series and day wins. A day without a value is a gap and deletes nothing, because the list may
 * lag behind. Skips unknown statistics and days that were not requested.
 */
export function dailyRecords(statistics: readonly unknown[], days: DayRange, tally: Tally): HealthRecord[] {
  const largest = new Map<string, DayTotal>();
  for (const { statistic, sample } of samplesIn(statistics)) {
    const found = totalOf(sample, statistic, days, tally);
    if (!found) continue;
    const key = `${statistic.code} ${found.day}`;
    const known = largest.get(key);
    if (known) tally.superseded++;
    if (!known || known.total.value < found.total.value) largest.set(key, found);
  }
  const totals = [...largest.values()];
  return [...totals.map(replacedTotal), ...totals.map(({ total }) => total)];
}

/** Returns the replacement of a day's stored total, in any time zone. */
function replacedTotal({ day, total }: DayTotal): HealthRecord {
  const anywhere = { startMs: dayStartMs(day) - MAX_OFFSET_MS, endMs: dayStartMs(day + 1) + MAX_OFFSET_MS };
  return {
    ...replacedWindow(anywhere),
    of: 'samples',
    typeIds: [total.typeId],
    sampleKinds: ['daily_total'],
    localDays: { firstDay: day, endDay: day + 1 },
  };
}

function samplesIn(statistics: readonly unknown[]): { statistic: Statistic; sample: unknown }[] {
  return statistics.flatMap((one) => {
    const name = isObject(one) ? textOf(one.Name)?.toLowerCase() : undefined;
    const statistic = name !== undefined && Object.hasOwn(STATISTICS, name) ? STATISTICS[name] : undefined;
    if (!statistic || !isObject(one) || !Array.isArray(one.Sources)) return [];
    return one.Sources.flatMap((source: unknown) => {
      const samples: unknown[] = isObject(source) && Array.isArray(source.Samples) ? source.Samples : [];
      requireAtMost(MAX_SAMPLES, samples.length);
      return samples.map((sample) => ({ statistic, sample }));
    });
  });
}

function totalOf(
  sample: unknown,
  { code, convert }: Statistic,
  { firstDay, endDay }: DayRange,
  tally: Tally,
): DayTotal | undefined {
  const index = tally.next();
  const faults: string[] = [];
  const { TimeISO8601: time = '', Value } = readPayload(DAY, isObject(sample) ? sample : {}, (field) =>
    faults.push(field),
  );
  // Takes the date from the text, because the offset may be missing.
  const day = dayNumber(time.slice(0, 10));
  if (day === undefined) return void tally.reject(index, 'TimeISO8601', 'invalid_date');
  if (day < firstDay || day >= endDay) return undefined;
  for (const field of faults) tally.rejectUnreadable(index, field);
  const value = convert(Value);
  if (value === undefined) {
    tally.noValue++;
    return undefined;
  }
  const offsetMinutes = offsetOfTime(time);
  const at = { startMs: dayStartMs(day, offsetMinutes), offsetMinutes };
  const total: SampleRecord = {
    kind: 'sample',
    sampleKind: 'daily_total',
    source: SUUNTO_SOURCE,
    typeId: typeIdOf(code),
    ...at,
    value,
  };
  return { day, total };
}
