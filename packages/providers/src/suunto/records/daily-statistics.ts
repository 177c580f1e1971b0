import {
  dayNumber,
  dayStartMs,
  type HealthRecord,
  MAX_OFFSET_MS,
  type SampleRecord,
  type SeriesCode,
} from '@healthd/model';
import type { Tally } from '../../cloud/index.js';
import { isObject, numberOf, textOf } from '../../device-push/index.js';
import { offsetOfTime } from '../../rest/index.js';
import { kcalOfJoules, typeIdOf } from './series.js';
import { deviceSource, replacedWindow } from './source.js';

/** Local days, counted from 1970-01-01. */
export interface DayRange {
  firstDay: number;
  /** Exclusive. */
  endDay: number;
}

/** The vendor's statistics by name, and what each is. */
const STATISTICS: Readonly<Record<string, readonly [SeriesCode, (value: number) => number | undefined]>> = {
  stepcount: ['steps', (value) => value],
  energyconsumption: ['energy', kcalOfJoules],
};
const TYPE_IDS = Object.values(STATISTICS).map(([code]) => typeIdOf(code));

/**
 * Totals of days, of each device by itself: two devices count the same steps. A day without a value is a gap. Statistics and
 * days that were not asked for are left out.
 */
export function dailyRecords(statistics: readonly unknown[], days: DayRange, tally: Tally): HealthRecord[] {
  const anywhere = {
    startMs: dayStartMs(days.firstDay) - MAX_OFFSET_MS,
    endMs: dayStartMs(days.endDay) + MAX_OFFSET_MS,
  };
  const records: HealthRecord[] = [
    {
      ...replacedWindow(anywhere),
      of: 'samples',
      typeIds: TYPE_IDS,
      sampleKinds: ['daily_total'],
      localDays: { ...days },
    },
  ];
  for (const statistic of statistics) {
    const name = isObject(statistic) ? textOf(statistic.Name)?.toLowerCase() : undefined;
    const known = name !== undefined && Object.hasOwn(STATISTICS, name) ? STATISTICS[name] : undefined;
    if (!known || !isObject(statistic) || !Array.isArray(statistic.Sources)) continue;
    for (const source of statistic.Sources) {
      if (!isObject(source) || !Array.isArray(source.Samples)) continue;
      const identity = deviceSource(textOf(source.Name));
      for (const sample of source.Samples) records.push(...totalOf(sample, known, days, identity, tally));
    }
  }
  return records;
}

function totalOf(
  sample: unknown,
  [code, convert]: readonly [SeriesCode, (value: number) => number | undefined],
  { firstDay, endDay }: DayRange,
  source: SampleRecord['source'],
  tally: Tally,
): SampleRecord[] {
  const index = tally.next();
  const time = isObject(sample) && typeof sample.TimeISO8601 === 'string' ? sample.TimeISO8601 : '';
  // The date as it is written is that of the day; the offset may be missing.
  const day = dayNumber(time.slice(0, 10));
  if (!isObject(sample) || day === undefined) {
    tally.reject(index, 'TimeISO8601', 'invalid_date');
    return [];
  }
  if (day < firstDay || day >= endDay) return [];
  const value = numberOf(sample.Value);
  if (value === undefined) {
    tally.noValue++;
    return [];
  }
  const total = convert(value);
  const offsetMinutes = offsetOfTime(time);
  const at = { startMs: dayStartMs(day, offsetMinutes), offsetMinutes };
  if (total === undefined) return [];
  return [{ kind: 'sample', sampleKind: 'daily_total', source, typeId: typeIdOf(code), ...at, value: total }];
}
