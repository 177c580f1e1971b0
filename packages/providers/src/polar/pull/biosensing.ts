import {
  dayNumber,
  type HealthRecord,
  isOffsetMinutes,
  MS_PER_DAY,
  MS_PER_SECOND,
  type SampleRecord,
  type SeriesCode,
} from '@healthd/model';
import type { Tally } from '../../cloud/index.js';
import { idOf, isObject, numberOf, type PayloadObject } from '../../payload/index.js';
import { countUnreadable, instantMs, membersOf, type ReadMembers } from '../../rest/index.js';
import { replacedSamples, replacedTotals, sampleOf } from './source.js';
import { positive } from './values.js';
import { midnightOf, type WallClock } from './wall-clock.js';

const TEMPERATURES: Readonly<Record<string, SeriesCode>> = {
  TM_SKIN_TEMPERATURE: 'skin_temperature',
  TM_CORE_TEMPERATURE: 'body_temperature',
};
/** The vendor does not know what was measured. */
const UNKNOWN_TEMPERATURE = 'TM_UNKNOWN';
/** No sensor records for longer without a new period. */
const LONGEST_PERIOD_MS = 31 * MS_PER_DAY;
/** Series that periods of temperature lead to. */
export const TEMPERATURE_SERIES: readonly SeriesCode[] = Object.values(TEMPERATURES);
/** Series that the temperature of nights leads to. */
export const NIGHT_TEMPERATURE_SERIES = ['skin_temperature', 'skin_temperature_deviation'] as const;

/** Temperatures that a sensor recorded, of the skin or of the core. Times are UTC; what was measured is known by its type. */
export function bodyTemperatureRecords(periods: readonly unknown[], tally: Tally): HealthRecord[] {
  return periods.flatMap((period): HealthRecord[] => {
    const one = isObject(period) ? period : {};
    const startMs = instantMs(one.start_time);
    const samples = Array.isArray(one.samples) ? one.samples : [];
    const series = TEMPERATURES[String(one.measurement_type)];
    if (Number.isNaN(startMs)) {
      tally.reject(tally.next(), 'start_time', 'invalid_date');
      return [];
    }
    if (series === undefined) {
      tally.next();
      if (one.measurement_type === UNKNOWN_TEMPERATURE) tally.noValue++;
      else tally.fault('measurement_type');
      return [];
    }
    if (one.samples && !Array.isArray(one.samples)) tally.rejectUnreadable(tally.next(), 'samples');
    const externalId = `bodytemperature/${idOf(one.source_device_id) ?? ''}/${new Date(startMs).toISOString()}`;
    const found = samples.flatMap((sample) => temperature(isObject(sample) ? sample : {}, series, startMs, tally));
    const lastMs = found.reduce((latestMs, record) => Math.max(latestMs, record.startMs), startMs);
    return [
      replacedSamples(externalId, TEMPERATURE_SERIES, { startMs, endMs: lastMs + MS_PER_DAY }),
      ...found.map((record) => ({ ...record, externalId })),
    ];
  });
}

/** The time since the beginning may be written as text. */
function temperature(sample: PayloadObject, series: SeriesCode, startMs: number, tally: Tally): SampleRecord[] {
  const index = tally.next();
  const afterMs = numberOf(sample.recording_time_delta_milliseconds);
  const value = numberOf(sample.temperature_celsius);
  if (afterMs === undefined || value === undefined) {
    const field = value === undefined ? 'temperature_celsius' : 'recording_time_delta_milliseconds';
    tally.reject(index, field, 'missing');
    return [];
  }
  if (Math.abs(afterMs) > LONGEST_PERIOD_MS) {
    tally.reject(index, 'recording_time_delta_milliseconds', 'implausible');
    return [];
  }
  return [sampleOf(series, 'sample', { startMs: startMs + Math.round(afterMs) }, value)];
}

const NIGHT_MEMBERS = membersOf('number', ['sleep_time_skin_temperature_celsius', 'deviation_from_baseline_celsius']);

/** The temperature of the skin in a night, and how far it is from the usual one: values of the date. */
export function skinTemperatureRecords(nights: readonly unknown[], clock: WallClock, tally: Tally): HealthRecord[] {
  return nights.flatMap((night): HealthRecord[] => {
    const index = tally.next();
    const day = isObject(night) && typeof night.sleep_date === 'string' ? dayNumber(night.sleep_date) : undefined;
    if (!isObject(night) || day === undefined) {
      tally.reject(index, 'sleep_date', 'invalid_date');
      return [];
    }
    countUnreadable(night, NIGHT_MEMBERS, tally.fault);
    const place = midnightOf(day, clock);
    const [skin, deviation] = NIGHT_TEMPERATURE_SERIES;
    const values = [
      [skin, positive(night.sleep_time_skin_temperature_celsius)],
      [deviation, numberOf(night.deviation_from_baseline_celsius)],
    ] as const;
    return [
      replacedTotals(day, NIGHT_TEMPERATURE_SERIES),
      ...values.flatMap(([series, value]) =>
        value === undefined ? [] : [sampleOf(series, 'daily_total', place, value)],
      ),
    ];
  });
}

/** Tests that a person takes, at their second. */
export interface TestKind {
  id: string;
  /** Members of a test, by the series that they are. */
  series: Readonly<Partial<Record<SeriesCode, string>>>;
  /** Whether a test counts. */
  counts(test: PayloadObject): boolean;
}

export const SPO2_TEST: TestKind = {
  id: 'spo2',
  series: { oxygen_saturation: 'blood_oxygen_percent', heart_rate_variability_rmssd: 'heart_rate_variability_ms' },
  // All others are inconclusive.
  counts: ({ test_status: status }) => status === 'SPO2_TEST_PASSED',
};
export const ECG_TEST: TestKind = {
  id: 'ecg',
  series: { heart_rate: 'average_heart_rate_bpm', heart_rate_variability_rmssd: 'heart_rate_variability_ms' },
  counts: () => true,
};

export function testSeries({ series }: TestKind): SeriesCode[] {
  return Object.keys(series) as SeriesCode[];
}

function testMembers({ series }: TestKind): ReadMembers {
  const numbers = membersOf('number', [...Object.values(series), 'time_zone_offset']);
  return { ...numbers, test_status: /^SPO2_TEST_/ };
}

export function testRecords(kind: TestKind, tests: readonly unknown[], tally: Tally): HealthRecord[] {
  return tests.flatMap((test): HealthRecord[] => {
    const index = tally.next();
    const seconds = isObject(test) ? positive(test.test_time) : undefined;
    if (!isObject(test) || seconds === undefined) {
      tally.reject(index, 'test_time', 'invalid_date');
      return [];
    }
    countUnreadable(test, testMembers(kind), tally.fault);
    if (!kind.counts(test)) {
      tally.noValue++;
      return [];
    }
    const offset = numberOf(test.time_zone_offset);
    const offsetMinutes = offset !== undefined && isOffsetMinutes(offset) ? offset : undefined;
    const place = { startMs: Math.round(seconds * MS_PER_SECOND), offsetMinutes, externalId: `${kind.id}/${seconds}` };
    return Object.entries(kind.series).flatMap(([series, member]) => {
      const value = positive(test[member]);
      return value === undefined ? [] : [sampleOf(series as SeriesCode, 'sample', place, value)];
    });
  });
}
