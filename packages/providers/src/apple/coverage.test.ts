import { INTEGRATED_PROVIDER_IDS, SERIES_TYPES, seriesTypeByCode } from '@healthd/model';
import { expect, it } from 'vitest';
import { PROVIDERS, providerById } from '../registry.js';
import { plausibleValue } from '../testing/plausible-value.js';
import { filledWorkoutFields } from '../testing/workout-fields.js';
import { APPLE_COVERAGE } from './coverage.js';
import { quantityConverter } from './quantities.js';
import { QUANTITY_SERIES } from './quantity-series.js';
import { SLEEP_STAGES_BY_VALUE } from './sleep-stage-values.js';
import { DATES, readElements, record } from './testing/read-elements.js';

/** A unit for every series, as in exports. */
const UNITS = [
  'count',
  'count/min',
  'ms',
  '%',
  'mg/dL',
  'mmHg',
  'L',
  'L/min',
  'cm',
  'kg',
  'degC',
  'mL/min·kg',
  'm',
  'kcal',
  'min',
  'kcal/hr·kg',
  'm/s',
  'W',
  'dBASPL',
  'mcS',
  'IU',
  'appleEffortScore',
  'mL',
];

/** A list of beats, from which the adapter computes a value. */
const BEATS = `<HeartRateVariabilityMetadataList>${Array.from(
  { length: 30 },
  (_, second) => `<InstantaneousBeatsPerMinute bpm="60" time="8:00:${10 + second}.00 AM"/>`,
).join('')}</HeartRateVariabilityMetadataList>`;

it('emits exactly the declared series, workout fields and stages', async () => {
  const quantities = [...QUANTITY_SERIES].map(([identifier, code]) => {
    const series = seriesTypeByCode(code);
    const unit = UNITS.find((one) => quantityConverter(series, one) !== undefined) ?? 'none';
    const value = plausibleValue(series.id, quantityConverter(series, unit) ?? Number);
    return record(`HKQuantityTypeIdentifier${identifier}`, unit, value, DATES, code.endsWith('sdnn') ? BEATS : '');
  });
  const stages = [...SLEEP_STAGES_BY_VALUE.keys()].map((value) =>
    record('HKCategoryTypeIdentifierSleepAnalysis', '', value),
  );
  const statistics = [
    'HeartRate count/min',
    'ActiveEnergyBurned kcal',
    'DistanceCycling km',
    'StepCount count',
    'CyclingSpeed m/s',
    'CyclingPower W',
    'CyclingCadence count/min',
  ].map((text) => {
    const [type, unit] = text.split(' ');
    return `<WorkoutStatistics type="HKQuantityTypeIdentifier${type}" ${DATES} average="1" minimum="1" maximum="1" sum="1" unit="${unit}"/>`;
  });
  const metadata = [
    'HKElevationAscended 1 m',
    'HKAverageMETs 6 kcal/hr·kg',
    'HKWeatherTemperature 20 degC',
    'HKWeatherHumidity 5000 %',
  ].map((text) => {
    const [key, ...value] = text.split(' ');
    return `<MetadataEntry key="${key}" value="${value.join(' ')}"/>`;
  });
  const workout = `<Workout workoutActivityType="HKWorkoutActivityTypeCycling" duration="1" durationUnit="min" ${DATES}>${statistics.join('')}${metadata.join('')}</Workout>`;
  const {
    values,
    workouts,
    stages: emitted,
    report,
  } = await readElements([...quantities, ...stages, workout].join(''));

  expect(report.rejected.byReason).toEqual({});
  const series = new Set(values.map(([code]) => code));
  expect(SERIES_TYPES.map((type) => type.code).filter((code) => series.has(code))).toEqual(APPLE_COVERAGE.series);
  expect(filledWorkoutFields(workouts)).toEqual(APPLE_COVERAGE.workoutFields);
  expect(new Set(emitted.map((one) => one.stage))).toEqual(
    new Set(['in_bed', 'sleeping', 'awake', 'light', 'deep', 'rem']),
  );
});

it('finds a provider with an adapter by id', () => {
  expect(PROVIDERS.map((provider) => provider.id)).toEqual(INTEGRATED_PROVIDER_IDS);
  expect(providerById('apple')?.capabilities).toEqual({
    oauth: false,
    pull: false,
    push: true,
    file: true,
    webhook: false,
  });
  expect(providerById('fitbit')).toBeUndefined();
});
