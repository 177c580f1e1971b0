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
} from '@healthd/model';
import { z } from 'zod';
import type { Tally } from '../../cloud/index.js';
import { isObject, numberOf, readPayload } from '../../payload/index.js';
import { requireAtMost } from '../../rest/index.js';
import { AmountReader, type DayMetrics } from './day-metrics.js';
import type { RingDay } from './local-day.js';
import { DAY_VALUES, KNOWN, READINGS, SCORES, UNSUPPORTED } from './metrics.js';
import { quickMetric, type SleepMetric, sleepOf } from './sleep.js';
import { RING, replacedAround, sourceOf } from './source.js';

/**
 * Returns a day's records and replacements. Stored values of the date that are missing from the response are deleted. A
 * series, score or night that is completely missing deletes nothing, because rings sync late and metrics are sometimes
 * empty.
 */
export function dayRecords({ metrics }: DayMetrics, ringDay: RingDay, tally: Tally): HealthRecord[] {
  if (metrics.size === 0) return [];
  const { day } = ringDay;
  const sleep = sleepOf(metrics, ringDay, tally);
  const response = { metrics, ringDay, sleep, amounts: new AmountReader(tally) };
  countUnread(metrics, tally);
  const samples = [...readings(metrics, ringDay, tally), ...dayValues(response), ...nightValues(response)];
  const found = scores(response);
  return [
    ...replacedSamples(samples, ['sample'], day),
    // Replaces both types, because nightly values are stored as daily values until the night is known.
    ...replacedSamples(samples, ['aggregate', 'daily_total'], day),
    ...found.flatMap((score) => replacedScore(score, day)),
    ...(sleep ? [sleep] : []),
    ...samples,
    ...found,
  ];
}

/** Returns replacements for the date, limited to the series and types in the response. */
function replacedSamples(
  samples: readonly SampleRecord[],
  sampleKinds: readonly SampleKind[],
  day: number,
): HealthRecord[] {
  const own = samples.filter(({ sampleKind }) => sampleKinds.includes(sampleKind));
  const typeIds = [...new Set(own.map(({ typeId }) => typeId))];
  if (typeIds.length === 0) return [];
  return [
    { ...replacedAround(day), of: 'samples', typeIds, sampleKinds, localDays: { firstDay: day, endDay: day + 1 } },
  ];
}

/** The vendor's response for one day. */
interface DayResponse {
  metrics: DayMetrics['metrics'];
  ringDay: RingDay;
  sleep: SleepSessionRecord | undefined;
  amounts: AmountReader;
}

/** Counts unsupported and unknown metrics, which are not stored. */
function countUnread(metrics: DayMetrics['metrics'], tally: Tally): void {
  for (const type of metrics.keys()) {
    if (UNSUPPORTED.has(type)) tally.reject(tally.next(), type, 'unsupported', type);
    else if (!KNOWN.has(type)) tally.rejectUnreadable(tally.next(), type);
  }
}

/** Returns the replacement of an earlier version of a score. */
function replacedScore({ externalId: idPrefix }: HealthScoreRecord, day: number): HealthRecord[] {
  return idPrefix === undefined ? [] : [{ ...replacedAround(day), of: 'health_scores', idPrefix }];
}

/** A reading. The time is in epoch seconds. */
const READING = z.object({ timestamp: z.number(), value: z.number() });

/** Maximum number of readings: one every ten seconds of a day. */
const MAX_READINGS = 9_000;

/** Returns readings. Zeros and nulls are gaps. */
function readings(metrics: DayMetrics['metrics'], ringDay: RingDay, tally: Tally): SampleRecord[] {
  return Object.entries(READINGS).flatMap(([type, series]) => {
    const values = metrics.get(type)?.values;
    if (values !== undefined && values !== null && !Array.isArray(values)) {
      tally.rejectUnreadable(tally.next(), `${type}.values`);
    }
    const list = Array.isArray(values) ? values : [];
    requireAtMost(MAX_READINGS, list.length);
    return list.flatMap((reading): SampleRecord[] => {
      const index = tally.next();
      const faults: string[] = [];
      const { timestamp: seconds, value } = readPayload(READING, isObject(reading) ? reading : {}, (field) =>
        faults.push(field),
      );
      if (seconds === undefined) {
        tally.reject(index, `${type}.timestamp`, 'invalid_date');
        return [];
      }
      if (faults.length > 0) {
        tally.rejectUnreadable(index, `${type}.value`);
        return [];
      }
      if (value === undefined || value <= 0) {
        tally.noValue++;
        return [];
      }
      const startMs = Math.round(seconds * MS_PER_SECOND);
      return [sample(series, 'sample', startMs, ringDay.offsetAt(startMs), value)];
    });
  });
}

function dayValues({ metrics, ringDay, amounts }: DayResponse): SampleRecord[] {
  const at = midnightOf(ringDay);
  const samples: SampleRecord[] = [];
  const add = (series: SeriesCode, value: number | undefined) => {
    if (value === undefined) return;
    const isSum = seriesTypeByCode(series).rule === 'sum';
    samples.push({
      ...sample(series, 'daily_total', at.startMs, at.offsetMinutes, value),
      ...(isSum && { durationMs: MS_PER_DAY }),
    });
  };
  for (const [type, member, series] of DAY_VALUES) {
    const value = amounts.amount(metrics.get(type)?.[member], `${type}.${member}`);
    add(series, series === 'vo2_max' || series === 'blood_glucose' ? positive(value) : value);
  }
  const sleep: SleepMetric = metrics.get('sleep') ?? {};
  add(
    'skin_temperature_deviation',
    amounts.amount(sleep.temperature_deviation, 'sleep.temperature_deviation') ??
      amounts.amount(metrics.get('temperature_deviation'), 'temperature_deviation'),
  );
  return samples;
}

/** Returns one value per series, at waking. Returns daily values if the night is unknown. */
function nightValues({ metrics, ringDay, sleep: night, amounts }: DayResponse): SampleRecord[] {
  const sleep: SleepMetric = metrics.get('sleep') ?? {};
  const quick = (type: string) => amounts.amount(quickMetric(sleep, type)?.value, `sleep.quick_metrics.${type}`);
  /** Returns the vendor's mean of a series, for use without readings. */
  const meanOf = (type: string) => {
    const metric = metrics.get(type);
    const hasReadings = Array.isArray(metric?.values) && metric.values.some((one) => hasValue(one));
    return hasReadings ? undefined : positive(amounts.amount(metric?.avg, `${type}.avg`));
  };
  const metric = (type: string) => positive(amounts.amount(metrics.get(type), type));
  const inside = (member: keyof SleepMetric) => positive(amounts.amount(sleep[member], `sleep.${member}`));
  const values: readonly (readonly [SeriesCode, number | undefined])[] = [
    [
      'resting_heart_rate',
      positive(amounts.amount(metrics.get('night_rhr')?.avg, 'night_rhr.avg')) ?? metric('sleep_rhr'),
    ],
    [
      'heart_rate_variability_rmssd',
      metric('avg_sleep_hrv') ?? inside('avg_sleep_hrv') ?? positive(quick('avg_hrv')) ?? meanOf('hrv'),
    ],
    ['oxygen_saturation', inside('spo2') ?? meanOf('spo2')],
    ['skin_temperature', inside('average_body_temperature') ?? metric('average_body_temperature')],
  ];
  const day = midnightOf(ringDay);
  return values.flatMap(([series, value]) => {
    if (value === undefined) return [];
    if (night) return [sample(series, 'aggregate', night.endMs, night.offsetMinutes, value)];
    return [sample(series, 'daily_total', day.startMs, day.offsetMinutes, value)];
  });
}

function hasValue(reading: unknown): boolean {
  return isObject(reading) && positive(numberOf(reading.value)) !== undefined;
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}

/**
 * Returns a day's scores. The vendor has two different sleep scores. The daily score wins, and the score inside `sleep`
 * becomes its component. Without a daily score, the score inside `sleep` is used.
 */
function scores({ metrics, ringDay, amounts }: DayResponse): HealthScoreRecord[] {
  const { startMs: atMs, offsetMinutes } = midnightOf(ringDay);
  const sleep: SleepMetric = metrics.get('sleep') ?? {};
  return Object.entries(SCORES).flatMap(([type, category]): HealthScoreRecord[] => {
    const own = amounts.amount(metrics.get(type), type);
    const inner =
      type === 'sleep_score'
        ? (amounts.amount(sleep.sleep_score, 'sleep.sleep_score') ??
          amounts.amount(sleep.score_trend, 'sleep.score_trend') ??
          amounts.amount(metrics.get('score_trend'), 'score_trend'))
        : undefined;
    const value = own ?? inner;
    if (value === undefined) return [];
    const externalId = `${type}/${fromDayNumber(ringDay.day)}`;
    const components =
      own !== undefined && inner !== undefined && own !== inner
        ? { 'sleep.sleep_score': { value: inner, qualifier: null } }
        : undefined;
    return [
      {
        kind: 'health_score',
        source: RING,
        externalId,
        category,
        value,
        atMs,
        offsetMinutes,
        ...(components && { components }),
      },
    ];
  });
}

/** Returns local midnight, or midnight UTC for an unknown zone, which displays as the same date. */
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
