import {
  dayNumber,
  type HealthRecord,
  isOffsetMinutes,
  MS_PER_DAY,
  MS_PER_SECOND,
  type SampleRecord,
  type SeriesCode,
} from '@healthd/model';
import { z } from 'zod';
import type { Tally } from '../../cloud/index.js';
import { intervalProblem } from '../../interval.js';
import { idOf, isObject, numberOf, type PayloadObject, type PayloadOf, readPayload } from '../../payload/index.js';
import { instantMs, requireAtMost } from '../../rest/index.js';
import { Turns } from '../../turns.js';
import { replacedSamples, replacedTotals, sampleOf } from './source.js';
import { positive } from './values.js';
import { midnightOf, type WallClock } from './wall-clock.js';

/** A sensor's recording. Requires `start_time` (UTC) and `measurement_type`. */
const PERIOD = z.object({
  /**
   * Samples, each with `temperature_celsius` and `recording_time_delta_milliseconds`. Both members are required and may
   * be text.
   */
  samples: z.array(z.unknown()),
});

const TEMPERATURES: Readonly<Record<string, SeriesCode>> = {
  TM_SKIN_TEMPERATURE: 'skin_temperature',
  TM_CORE_TEMPERATURE: 'body_temperature',
};
/** Type of a recording with an unknown body site. */
const UNKNOWN_TEMPERATURE = 'TM_UNKNOWN';
/** Maximum length of a recording. Sensors start a new recording much earlier. */
const LONGEST_PERIOD_MS = 31 * MS_PER_DAY;
/** Series read from temperature recordings. */
export const TEMPERATURE_SERIES: readonly SeriesCode[] = Object.values(TEMPERATURES);
/** Series read from a night's skin temperature. */
export const NIGHT_TEMPERATURE_SERIES = ['skin_temperature', 'skin_temperature_deviation'] as const;

/** Maximum number of temperatures, slightly more than one per second of a day. */
const MAX_TEMPERATURES = 90_000;
/** Number of temperatures that become samples in a few milliseconds. */
const SAMPLES_AT_ONCE = 4_096;

/** Checks the number of temperatures in a response. @throws VendorError */
export function temperaturePeriods(periods: readonly unknown[]): readonly unknown[] {
  requireAtMost(
    MAX_TEMPERATURES,
    periods.reduce<number>((count, period) => count + temperatureCount(period), 0),
  );
  return periods;
}

function temperatureCount(period: unknown): number {
  return isObject(period) && Array.isArray(period.samples) ? period.samples.length : 0;
}

/** Returns a sensor's skin or core temperatures. */
export async function bodyTemperatureRecords(periods: readonly unknown[], tally: Tally): Promise<HealthRecord[]> {
  const turns = new Turns();
  const records: HealthRecord[] = [];
  for (const period of periods) {
    await turns.yieldIfLong();
    const one = isObject(period) ? period : {};
    const startMs = instantMs(one.start_time);
    const series = TEMPERATURES[String(one.measurement_type)];
    if (Number.isNaN(startMs)) {
      tally.reject(tally.next(), 'start_time', 'invalid_date');
      continue;
    }
    if (series === undefined) {
      tally.next();
      if (one.measurement_type === UNKNOWN_TEMPERATURE) tally.noValue++;
      else tally.fault('measurement_type');
      continue;
    }
    const countFault = (field: string) => tally.rejectUnreadable(tally.next(), field);
    const { samples = [] } = readPayload(PERIOD, one, countFault);
    const externalId = `bodytemperature/${idOf(one.source_device_id) ?? ''}/${new Date(startMs).toISOString()}`;
    const found: SampleRecord[] = [];
    let lastMs = startMs;
    for (const [index, sample] of samples.entries()) {
      if (index % SAMPLES_AT_ONCE === 0) await turns.yieldIfLong();
      const record = temperature(isObject(sample) ? sample : {}, series, { startMs, externalId }, tally);
      if (!record) continue;
      found.push(record);
      lastMs = Math.max(lastMs, record.startMs);
    }
    records.push(replacedSamples(externalId, TEMPERATURE_SERIES, { startMs, endMs: lastMs + MS_PER_DAY }));
    for (const record of found) records.push(record);
  }
  return records;
}

function temperature(
  sample: PayloadObject,
  series: SeriesCode,
  { startMs, externalId }: { startMs: number; externalId: string },
  tally: Tally,
): SampleRecord | undefined {
  const index = tally.next();
  const afterMs = numberOf(sample.recording_time_delta_milliseconds);
  const value = numberOf(sample.temperature_celsius);
  if (afterMs === undefined || value === undefined) {
    const field = value === undefined ? 'temperature_celsius' : 'recording_time_delta_milliseconds';
    tally.reject(index, field, 'missing');
    return undefined;
  }
  if (Math.abs(afterMs) > LONGEST_PERIOD_MS) {
    tally.reject(index, 'recording_time_delta_milliseconds', 'implausible');
    return undefined;
  }
  return sampleOf(series, 'sample', { startMs: startMs + Math.round(afterMs), externalId }, value);
}

/** Skin temperature of a night. Requires `sleep_date`. */
const NIGHT = z.object({
  sleep_time_skin_temperature_celsius: z.number(),
  deviation_from_baseline_celsius: z.number(),
});

/** Returns a night's skin temperature and its deviation from the baseline as values of the date. */
export function skinTemperatureRecords(nights: readonly unknown[], clock: WallClock, tally: Tally): HealthRecord[] {
  return nights.flatMap((night): HealthRecord[] => {
    const index = tally.next();
    const day = isObject(night) && typeof night.sleep_date === 'string' ? dayNumber(night.sleep_date) : undefined;
    if (!isObject(night) || day === undefined) {
      tally.reject(index, 'sleep_date', 'invalid_date');
      return [];
    }
    const read = readPayload(NIGHT, night, tally.fault);
    const place = midnightOf(day, clock);
    const [skin, deviation] = NIGHT_TEMPERATURE_SERIES;
    const values = [
      [skin, positive(read.sleep_time_skin_temperature_celsius)],
      [deviation, read.deviation_from_baseline_celsius],
    ] as const;
    return [
      replacedTotals(day, NIGHT_TEMPERATURE_SERIES),
      ...values.flatMap(([series, value]) =>
        value === undefined ? [] : [sampleOf(series, 'daily_total', place, value)],
      ),
    ];
  });
}

/** A test that a user takes. Requires `test_time`, in seconds since 1970. */
const TEST = {
  /** Minutes ahead of UTC. */
  time_zone_offset: z.number(),
  test_status: z.string().startsWith('SPO2_TEST_'),
  /** RMSSD. */
  heart_rate_variability_ms: z.number(),
};

interface TestKind<Shape extends typeof TEST> {
  id: string;
  type: z.ZodObject<Shape>;
  /** Test fields by series. */
  series: Readonly<Partial<Record<SeriesCode, keyof Shape>>>;
  /** True if the test has a result. */
  counts(test: PayloadOf<z.ZodObject<typeof TEST>>): boolean;
}

const SPO2 = z.object({ ...TEST, blood_oxygen_percent: z.number() });
export const SPO2_TEST: TestKind<typeof SPO2.shape> = {
  id: 'spo2',
  type: SPO2,
  series: { oxygen_saturation: 'blood_oxygen_percent', heart_rate_variability_rmssd: 'heart_rate_variability_ms' },
  // All other statuses are inconclusive.
  counts: ({ test_status: status }) => status === 'SPO2_TEST_PASSED',
};
const ECG = z.object({ ...TEST, average_heart_rate_bpm: z.number() });
export const ECG_TEST: TestKind<typeof ECG.shape> = {
  id: 'ecg',
  type: ECG,
  series: { heart_rate: 'average_heart_rate_bpm', heart_rate_variability_rmssd: 'heart_rate_variability_ms' },
  counts: () => true,
};

/** Returns the series that a test type provides. */
export function testSeries({ series }: { series: Readonly<Partial<Record<SeriesCode, unknown>>> }): SeriesCode[] {
  return Object.keys(series) as SeriesCode[];
}

/**
 * Returns the values of tests, each at the second of its test. A value that a later version of a test lacks is deleted,
 * unless a member of that version is unreadable.
 */
export function testRecords<Shape extends typeof TEST>(
  kind: TestKind<Shape>,
  tests: readonly unknown[],
  tally: Tally,
): HealthRecord[] {
  return tests.flatMap((one): HealthRecord[] => {
    const index = tally.next();
    const seconds = isObject(one) ? positive(one.test_time) : undefined;
    const startMs = Math.round((seconds ?? Number.NaN) * MS_PER_SECOND);
    const problem = intervalProblem(startMs, startMs);
    if (!isObject(one) || problem) {
      tally.reject(index, 'test_time', problem?.code ?? 'invalid_date');
      return [];
    }
    let isReadable = true;
    const test = readPayload(kind.type, one, (field) => {
      isReadable = false;
      tally.fault(field);
    });
    const externalId = `${kind.id}/${seconds}`;
    const range = { startMs, endMs: startMs + 1 };
    const replaced = isReadable ? [replacedSamples(externalId, testSeries(kind), range)] : [];
    if (!kind.counts(test)) {
      tally.noValue++;
      return replaced;
    }
    const { time_zone_offset: offset } = test;
    const offsetMinutes = offset !== undefined && isOffsetMinutes(offset) ? offset : undefined;
    const place = { startMs, offsetMinutes, externalId };
    const values = testSeries(kind).flatMap((series) => {
      const value = positive(test[kind.series[series]!]);
      return value === undefined ? [] : [sampleOf(series, 'sample', place, value)];
    });
    return [...replaced, ...values];
  });
}
