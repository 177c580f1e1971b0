import {
  dayStartMs,
  fromDayNumber,
  type HealthRecord,
  type HealthScoreRecord,
  MS_PER_DAY,
  MS_PER_SECOND,
  type SampleKind,
  type SampleRecord,
  type SeriesCode,
  type SleepSessionRecord,
  seriesTypeByCode,
  seriesTypeIds,
} from '@healthd/model';
import type { Tally } from '../../cloud/index.js';
import { isObject, numberOf } from '../../device-push/index.js';
import { amountOf, type DayMetrics } from './day-metrics.js';
import type { RingDay } from './local-day.js';
import { DAY_VALUES, PULLED_SERIES, READINGS, SCORES } from './metrics.js';
import { lostNight, sleepOf } from './sleep.js';
import { RING, replacedAround, sourceOf } from './source.js';

const TYPE_IDS = seriesTypeIds(PULLED_SERIES);

/**
 * All that a day is, and what it replaces: what is stored of its date and does not come back is gone. Of an answer without
 * any metric nothing is known.
 */
export function dayRecords(metrics: DayMetrics, ringDay: RingDay, tally: Tally): HealthRecord[] {
  if (metrics.metrics.size === 0) return [];
  const { day } = ringDay;
  const sleep = sleepOf(metrics, ringDay, tally);
  return [
    { ...replacedAround(day), of: 'samples', typeIds: TYPE_IDS, localDays: { firstDay: day, endDay: day + 1 } },
    ...Object.keys(SCORES).map((type) => replacedScore(type, day)),
    ...(sleep ? [sleep] : lostNight(ringDay)),
    ...readings(metrics, ringDay, tally),
    ...dayValues(metrics, ringDay, sleep),
    ...scores(metrics, ringDay),
  ];
}

function replacedScore(type: string, day: number): HealthRecord {
  return { ...replacedAround(day), of: 'health_scores', idPrefix: `${type}/${fromDayNumber(day)}` };
}

/** Zeros and nulls are gaps. What belongs to another date comes with that. */
function readings({ metrics }: DayMetrics, ringDay: RingDay, tally: Tally): SampleRecord[] {
  return Object.entries(READINGS).flatMap(([type, series]) => {
    const values = metrics.get(type)?.values;
    return (Array.isArray(values) ? values : []).flatMap((reading): SampleRecord[] => {
      const index = tally.next();
      const seconds = isObject(reading) ? numberOf(reading.timestamp) : undefined;
      if (!isObject(reading) || seconds === undefined) {
        tally.reject(index, `${type}.timestamp`, 'invalid_date');
        return [];
      }
      const value = numberOf(reading.value);
      if (value === undefined || value <= 0) {
        tally.noValue++;
        return [];
      }
      const startMs = Math.round(seconds * MS_PER_SECOND);
      if (!ringDay.holds(startMs)) {
        tally.superseded++;
        return [];
      }
      return [sample(series, 'sample', startMs, ringDay.offsetAt(startMs), value)];
    });
  });
}

function dayValues({ metrics }: DayMetrics, ringDay: RingDay, sleep: SleepSessionRecord | undefined): SampleRecord[] {
  const at = midnightOf(ringDay);
  const samples: SampleRecord[] = [];
  for (const [type, member, series] of DAY_VALUES) {
    const value = amountOf(metrics.get(type)?.[member]);
    if (value === undefined || (series === 'vo2_max' && value <= 0)) continue;
    const isSum = seriesTypeByCode(series).rule === 'sum';
    samples.push({
      ...sample(series, 'daily_total', at.startMs, at.offsetMinutes, value),
      ...(isSum && { durationMs: MS_PER_DAY }),
    });
  }
  const deviation =
    amountOf(metrics.get('sleep')?.temperature_deviation) ?? amountOf(metrics.get('temperature_deviation'));
  if (deviation !== undefined) {
    samples.push(sample('skin_temperature_deviation', 'daily_total', at.startMs, at.offsetMinutes, deviation));
  }
  const resting = amountOf(metrics.get('night_rhr')?.avg) ?? amountOf(metrics.get('sleep_rhr'));
  if (resting !== undefined && resting > 0) samples.push(restingHeartRate(resting, ringDay, sleep));
  return samples;
}

/** At waking where that is a time of this day, else a value of the day. */
function restingHeartRate(value: number, ringDay: RingDay, sleep: SleepSessionRecord | undefined): SampleRecord {
  if (sleep && ringDay.holds(sleep.endMs)) {
    return sample('resting_heart_rate', 'aggregate', sleep.endMs, sleep.offsetMinutes, value);
  }
  const { startMs, offsetMinutes } = midnightOf(ringDay);
  return sample('resting_heart_rate', 'daily_total', startMs, offsetMinutes, value);
}

function scores({ metrics }: DayMetrics, ringDay: RingDay): HealthScoreRecord[] {
  const { startMs: atMs, offsetMinutes } = midnightOf(ringDay);
  return Object.entries(SCORES).flatMap(([type, category]): HealthScoreRecord[] => {
    const own = metrics.get(type);
    const value = amountOf(own) ?? (type === 'sleep_score' ? amountOf(metrics.get('sleep')?.sleep_score) : undefined);
    if (value === undefined) return [];
    const externalId = `${type}/${fromDayNumber(ringDay.day)}`;
    return [{ kind: 'health_score', source: RING, externalId, category, value, atMs, offsetMinutes }];
  });
}

/** Without a known clock midnight UTC, which reads as the date itself. */
function midnightOf({ day, offsetAt }: RingDay) {
  const offsetMinutes = offsetAt(dayStartMs(day, offsetAt(dayStartMs(day))));
  return { startMs: dayStartMs(day, offsetMinutes), offsetMinutes };
}

function sample(
  series: SeriesCode,
  sampleKind: SampleKind,
  startMs: number,
  offsetMinutes: number | undefined,
  value: number,
): SampleRecord {
  const typeId = seriesTypeByCode(series).id;
  return { kind: 'sample', source: sourceOf(series), typeId, sampleKind, startMs, offsetMinutes, value };
}
