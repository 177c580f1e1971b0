import { type HealthRecord, MS_PER_SECOND, type SeriesCode, seriesTypeByCode } from '@healthd/model';
import { z } from 'zod';
import type { DeliveredRecords } from '../../cloud/index.js';
import { idOf } from '../../payload/index.js';
import { dateOf, dayOf, localDateOf, noonOf, type Place, placeOf } from './place.js';
import { faultOf, PLACE, readParts, summaryReader, VALUES } from './reading.js';
import { mappedSamples, notNegative, positive, sample, saturation } from './samples.js';
import { healthScore } from './score.js';

const BATTERY = 'garmin_body_battery';
const GRAMS_PER_KG = 1000;
const SCALE: { start: string; offset: string } = {
  start: 'measurementTimeInSeconds',
  offset: 'measurementTimeOffsetInSeconds',
};

/** Time members of a measurement by a scale or cuff. */
const MEASURED = z.object({ measurementTimeInSeconds: z.unknown(), measurementTimeOffsetInSeconds: z.number() });
const STRESS = PLACE.extend({ timeOffsetStressLevelValues: VALUES, timeOffsetBodyBatteryValues: VALUES });
const RESPIRATION = PLACE.extend({ timeOffsetEpochToBreaths: VALUES });
const PULSE_OX = PLACE.extend({ timeOffsetSpo2Values: VALUES });
const COMPOSITION = MEASURED.extend({
  weightInGrams: z.number(),
  bodyFatInPercent: z.number(),
  bodyMassIndex: z.number(),
  muscleMassInGrams: z.number(),
});
const BLOOD_PRESSURE = MEASURED.extend({ systolic: z.number(), diastolic: z.number(), pulse: z.number() });
/** Items without a usable date are rejected. */
const USER_METRICS = z.object({ calendarDate: z.unknown(), vo2Max: z.number(), fitnessAge: z.number() });
const SKIN_TEMPERATURE = PLACE.extend({ avgDeviationCelsius: z.number() });
/** A snapshot: two minutes of all measurements. */
const SNAPSHOT = PLACE.extend({
  summaryId: z.unknown(),
  offsetStartTimeInSeconds: z.number(),
  summaries: z.array(z.unknown()),
});
/** One value of a snapshot: the average. */
const SNAPSHOT_VALUE = z.object({
  summaryType: z.string().regex(/^(heart_rate|respiration|stress|spo2|pulse_ox|rmssd_hrv|sdrr_hrv)$/i),
  avgValue: z.number(),
});

/**
 * Stress every three minutes and body battery. The day's score is its highest battery level. A day may arrive in
 * pieces, and stored pieces count too.
 */
export const readStress = summaryReader(STRESS, (item, reading) => {
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
});

export const readRespiration = summaryReader(RESPIRATION, (item, reading) => {
  const place = placeOf(item, reading);
  if (!place) return undefined;
  const samples = mappedSamples(item.timeOffsetEpochToBreaths, place, reading, {
    code: 'respiratory_rate',
    id: 'allDayRespiration',
    field: 'timeOffsetEpochToBreaths',
    convert: positive,
  });
  return itemOf(samples, place);
});

export const readPulseOx = summaryReader(PULSE_OX, (item, reading) => {
  const place = placeOf(item, reading);
  if (!place) return undefined;
  const samples = mappedSamples(item.timeOffsetSpo2Values, place, reading, {
    code: 'oxygen_saturation',
    id: 'pulseox',
    field: 'timeOffsetSpo2Values',
    convert: saturation,
  });
  return itemOf(samples, place);
});

/** Members with their series. */
type Figures<Member extends string> = readonly { member: Member; code: SeriesCode; divisor: number }[];

const BODY: Figures<'weightInGrams' | 'bodyFatInPercent' | 'bodyMassIndex' | 'muscleMassInGrams'> = [
  { member: 'weightInGrams', code: 'weight', divisor: GRAMS_PER_KG },
  { member: 'bodyFatInPercent', code: 'body_fat_percentage', divisor: 1 },
  { member: 'bodyMassIndex', code: 'body_mass_index', divisor: 1 },
  { member: 'muscleMassInGrams', code: 'skeletal_muscle_mass', divisor: GRAMS_PER_KG },
];

/** Series of body composition. */
export const BODY_SERIES = BODY.map(({ code }) => code);

export const readBody = summaryReader(COMPOSITION, (item, reading) => {
  const place = placeOf(item, reading, SCALE);
  return place && itemOf(measured(item, place, 'bodyComps', BODY), place);
});

const PRESSURE: Figures<'systolic' | 'diastolic' | 'pulse'> = [
  { member: 'systolic', code: 'blood_pressure_systolic', divisor: 1 },
  { member: 'diastolic', code: 'blood_pressure_diastolic', divisor: 1 },
  { member: 'pulse', code: 'heart_rate', divisor: 1 },
];

/** Series of blood pressure. */
export const PRESSURE_SERIES = PRESSURE.map(({ code }) => code);

export const readBloodPressure = summaryReader(BLOOD_PRESSURE, (item, reading) => {
  const place = placeOf(item, reading, SCALE);
  return place && itemOf(measured(item, place, 'bloodPressures', PRESSURE), place);
});

function measured<Member extends string>(
  item: { readonly [Name in Member]?: number | undefined },
  { startMs, offsetMinutes }: Place,
  id: string,
  members: Figures<Member>,
) {
  return members.flatMap(({ member, code, divisor }) => {
    const value: number | undefined = item[member];
    if (value === undefined || value <= 0) return [];
    return [sample({ code, value: value / divisor, startMs, offsetMinutes, id })];
  });
}

const METRICS: Figures<'vo2Max' | 'fitnessAge'> = [
  { member: 'vo2Max', code: 'vo2_max', divisor: 1 },
  { member: 'fitnessAge', code: 'garmin_fitness_age', divisor: 1 },
];

/** Series of user metrics. */
export const METRICS_SERIES = METRICS.map(({ code }) => code);

/** Values that have a date and no other time. */
export const readUserMetrics = summaryReader(USER_METRICS, (item, { tally, index }) => {
  const date = dateOf(item.calendarDate);
  if (date === undefined) {
    tally.reject(index, 'calendarDate', item.calendarDate === undefined ? 'missing' : 'invalid_date');
    return undefined;
  }
  const startMs = noonOf(date);
  const place = { startMs, endMs: startMs, offsetMinutes: undefined, date };
  return itemOf(measured(item, place, 'userMetrics', METRICS), place);
});

/**
 * Deviation of the skin temperature from its usual value. Several values of one night are averaged when they are read.
 */
export const readSkinTemperature = summaryReader(SKIN_TEMPERATURE, (item, reading) => {
  const place = placeOf(item, reading);
  if (!place) return undefined;
  const value = item.avgDeviationCelsius;
  if (value === undefined) return itemOf([], place);
  const { startMs, endMs, offsetMinutes } = place;
  const at = { startMs, offsetMinutes, durationMs: endMs - startMs, id: 'skinTemp' };
  return itemOf([sample({ code: 'skin_temperature_deviation', value, ...at })], place);
});

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

export const readSnapshot = summaryReader(SNAPSHOT, (item, reading) => {
  const place = placeOf(item, reading, { offset: 'offsetStartTimeInSeconds' });
  if (!place) return undefined;
  const { startMs, endMs, offsetMinutes } = place;
  const id = idOf(item.summaryId) ?? 'healthSnapshot';
  const summaries = readParts(SNAPSHOT_VALUE, item.summaries, 'summaries', faultOf(reading));
  const records = summaries.flatMap(({ summaryType, avgValue }) => {
    const name = summaryType?.toLowerCase();
    const meaning = name !== undefined && Object.hasOwn(SNAPSHOTS, name) ? SNAPSHOTS[name] : undefined;
    const value = meaning?.convert(avgValue ?? Number.NaN);
    if (meaning === undefined || value === undefined) {
      reading.tally.noValue++;
      return [];
    }
    const at = { startMs, offsetMinutes, durationMs: endMs - startMs, id: `${id}:${name}` };
    return [sample({ code: meaning.code, value, ...at })];
  });
  return itemOf(records, place);
});

function itemOf(records: HealthRecord[], { startMs, endMs }: Place): DeliveredRecords {
  return { records, span: { startMs, endMs: Math.max(endMs, startMs + MS_PER_SECOND) } };
}
