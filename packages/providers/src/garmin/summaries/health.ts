import { type HealthRecord, MS_PER_SECOND, type SeriesCode, seriesTypeByCode } from '@healthd/model';
import type { DeliveredRecords } from '../../cloud/index.js';
import { idOf, isObject, numberOf, type PayloadObject, textOf } from '../../payload/index.js';
import { dateOf, dayOf, localDateOf, noonOf, type Place, placeOf } from './place.js';
import type { SummaryReader } from './reading.js';
import { mappedSamples, notNegative, positive, sample, saturation } from './samples.js';
import { healthScore } from './score.js';

const BATTERY = 'garmin_body_battery';
const GRAMS_PER_KG = 1000;
const SCALE: { start: string; offset: string } = {
  start: 'measurementTimeInSeconds',
  offset: 'measurementTimeOffsetInSeconds',
};

/**
 * Stress every three minutes and body battery; the day's highest battery is its score. A day comes in pieces too: what is
 * stored of the others counts.
 */
export const readStress: SummaryReader = (item, reading) => {
  const place = placeOf(item, reading);
  if (!place) return undefined;
  const batteries = mappedSamples(item.timeOffsetBodyBatteryValues, place, reading, {
    code: BATTERY,
    id: 'stressDetails',
    field: 'timeOffsetBodyBatteryValues',
    convert: notNegative,
  });
  const records: HealthRecord[] = [
    ...mappedSamples(item.timeOffsetStressLevelValues, place, reading, {
      code: 'garmin_stress_level',
      id: 'stressDetails',
      field: 'timeOffsetStressLevelValues',
      convert: notNegative,
    }),
    ...batteries,
  ];
  const date = localDateOf(place);
  if (batteries.length > 0) {
    const value = batteries.reduce((highest, one) => Math.max(highest, one.value), 0);
    const { startMs: atMs, offsetMinutes } = dayOf({ ...place, date });
    const highestOf = { typeId: seriesTypeByCode(BATTERY).id, spans: [place] };
    records.push(healthScore({ category: 'body_battery', id: date, value, highestOf, atMs, offsetMinutes }));
  }
  const version = (place.endMs - place.startMs) / MS_PER_SECOND;
  return { ...itemOf(records, place), day: date, key: `${date} ${place.startMs / MS_PER_SECOND}`, version };
};

export const readRespiration: SummaryReader = (item, reading) => {
  const place = placeOf(item, reading);
  if (!place) return undefined;
  const samples = mappedSamples(item.timeOffsetEpochToBreaths, place, reading, {
    code: 'respiratory_rate',
    id: 'allDayRespiration',
    field: 'timeOffsetEpochToBreaths',
    convert: positive,
  });
  return itemOf(samples, place);
};

export const readPulseOx: SummaryReader = (item, reading) => {
  const place = placeOf(item, reading);
  if (!place) return undefined;
  const samples = mappedSamples(item.timeOffsetSpo2Values, place, reading, {
    code: 'oxygen_saturation',
    id: 'pulseox',
    field: 'timeOffsetSpo2Values',
    convert: saturation,
  });
  return itemOf(samples, place);
};

const BODY: readonly { member: string; code: SeriesCode; divisor: number }[] = [
  { member: 'weightInGrams', code: 'weight', divisor: GRAMS_PER_KG },
  { member: 'bodyFatInPercent', code: 'body_fat_percentage', divisor: 1 },
  { member: 'bodyMassIndex', code: 'body_mass_index', divisor: 1 },
  { member: 'muscleMassInGrams', code: 'skeletal_muscle_mass', divisor: GRAMS_PER_KG },
];

/** Series of the body's composition. */
export const BODY_SERIES = BODY.map(({ code }) => code);

export const readBody: SummaryReader = (item, reading) => {
  const place = placeOf(item, reading, SCALE);
  return place && itemOf(measured(item, place, 'bodyComps', BODY), place);
};

const PRESSURE: typeof BODY = [
  { member: 'systolic', code: 'blood_pressure_systolic', divisor: 1 },
  { member: 'diastolic', code: 'blood_pressure_diastolic', divisor: 1 },
  { member: 'pulse', code: 'heart_rate', divisor: 1 },
];

/** Series of a blood pressure. */
export const PRESSURE_SERIES = PRESSURE.map(({ code }) => code);

export const readBloodPressure: SummaryReader = (item, reading) => {
  const place = placeOf(item, reading, SCALE);
  return place && itemOf(measured(item, place, 'bloodPressures', PRESSURE), place);
};

function measured(item: PayloadObject, { startMs, offsetMinutes }: Place, id: string, members: typeof BODY) {
  return members.flatMap(({ member, code, divisor }) => {
    const value = numberOf(item[member]);
    if (value === undefined || value <= 0) return [];
    return [sample({ code, value: value / divisor, startMs, offsetMinutes, id })];
  });
}

const METRICS: typeof BODY = [
  { member: 'vo2Max', code: 'vo2_max', divisor: 1 },
  { member: 'fitnessAge', code: 'garmin_fitness_age', divisor: 1 },
];

/** Series of the person's metrics. */
export const METRICS_SERIES = METRICS.map(({ code }) => code);

/** What holds of a date, and has no other time. */
export const readUserMetrics: SummaryReader = (item, { tally, index }) => {
  const date = dateOf(item.calendarDate);
  if (date === undefined) {
    tally.reject(index, 'calendarDate', item.calendarDate === undefined ? 'missing' : 'invalid_date');
    return undefined;
  }
  const startMs = noonOf(date);
  const place = { startMs, endMs: startMs, offsetMinutes: undefined, date };
  return itemOf(measured(item, place, 'userMetrics', METRICS), place);
};

/** How far the skin was from its usual temperature; where a night has several they are averaged when it is read. */
export const readSkinTemperature: SummaryReader = (item, reading) => {
  const place = placeOf(item, reading);
  if (!place) return undefined;
  const value = numberOf(item.avgDeviationCelsius);
  if (value === undefined) return itemOf([], place);
  const { startMs, endMs, offsetMinutes } = place;
  const at = { startMs, offsetMinutes, durationMs: endMs - startMs, id: 'skinTemp' };
  return itemOf([sample({ code: 'skin_temperature_deviation', value, ...at })], place);
};

const SNAPSHOTS: Readonly<Record<string, { code: SeriesCode; convert: (value: number) => number | undefined }>> = {
  heart_rate: { code: 'heart_rate', convert: positive },
  respiration: { code: 'respiratory_rate', convert: positive },
  stress: { code: 'garmin_stress_level', convert: notNegative },
  spo2: { code: 'oxygen_saturation', convert: saturation },
  pulse_ox: { code: 'oxygen_saturation', convert: saturation },
  rmssd_hrv: { code: 'heart_rate_variability_rmssd', convert: positive },
  sdrr_hrv: { code: 'heart_rate_variability_sdnn', convert: positive },
};

/** Series of a snapshot. */
export const SNAPSHOT_SERIES = Object.values(SNAPSHOTS).map(({ code }) => code);

/** Two minutes of everything: one value of each kind, which is the average. */
export const readSnapshot: SummaryReader = (item, reading) => {
  const place = placeOf(item, reading, { offset: 'offsetStartTimeInSeconds' });
  if (!place) return undefined;
  const { startMs, endMs, offsetMinutes } = place;
  const id = idOf(item.summaryId) ?? 'healthSnapshot';
  const summaries: unknown[] = Array.isArray(item.summaries) ? item.summaries : [];
  const records = summaries.flatMap((summary) => {
    const name = isObject(summary) ? textOf(summary.summaryType)?.toLowerCase() : undefined;
    const meaning = name !== undefined && Object.hasOwn(SNAPSHOTS, name) ? SNAPSHOTS[name] : undefined;
    const average = isObject(summary) ? numberOf(summary.avgValue) : undefined;
    const value = average === undefined ? undefined : meaning?.convert(average);
    if (meaning === undefined || value === undefined) {
      reading.tally.noValue++;
      return [];
    }
    const at = { startMs, offsetMinutes, durationMs: endMs - startMs, id: `${id}:${name}` };
    return [sample({ code: meaning.code, value, ...at })];
  });
  return itemOf(records, place);
};

function itemOf(records: HealthRecord[], { startMs, endMs }: Place): DeliveredRecords {
  return { records, span: { startMs, endMs: Math.max(endMs, startMs + MS_PER_SECOND) } };
}
