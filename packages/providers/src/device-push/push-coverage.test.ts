import { type HealthRecord, type ProviderId, SERIES_TYPES, seriesTypeById } from '@healthd/model';
import { expect, it } from 'vitest';
import { QUANTITY_SERIES } from '../apple/quantity-series.js';
import { GOOGLE_PUSH_COVERAGE } from '../google/coverage.js';
import { PROVIDERS, providerById } from '../registry.js';
import { plausibleValue } from '../testing/plausible-value.js';
import { filledWorkoutFields } from '../testing/workout-fields.js';
import { ANDROID_RECORD_TYPES } from './android-records.js';
import { PUSHED_WORKOUT_FIELDS } from './push-coverage.js';
import { readPush } from './read-push.js';

const AT = { startDate: '2026-11-19T10:00:00Z', endDate: '2026-11-19T10:30:00Z', zoneOffset: 'Z' };
const FIGURES = [
  'duration s',
  'activeEnergyBurned kcal',
  'distance m',
  'stepCount count',
  'minHeartRate bpm',
  'maxHeartRate bpm',
  'averageHeartRate bpm',
  'averageSpeed m/s',
  'maxSpeed m/s',
  'averageRunningPower W',
  'meanCadence rpm',
  'elevationAscended m',
  'maxAltitude m',
  'minAltitude m',
  'averageRunningStrideLength m',
  'averageMETs met',
  'averageVerticalOscillation cm',
  'averageGroundContactTime ms',
  'weatherTemperature degC',
  'weatherHumidity %',
  'vo2Max mL/kg/min',
];

function sentValue(provider: ProviderId, type: string): number {
  const plan = providerById(provider)?.push?.record(type, undefined);
  if (plan?.kind === 'sample') return plausibleValue(plan.typeId, plan.convert);
  return type === 'TOTAL_CALORIES_BURNED' ? 3 : 1;
}

function everything(provider: ProviderId): object {
  const types =
    provider === 'apple'
      ? [...QUANTITY_SERIES.keys()].map((name) => `HKQuantityTypeIdentifier${name}`)
      : ANDROID_RECORD_TYPES;
  const values = FIGURES.map((figure) => ({ type: figure.split(' ')[0], unit: figure.split(' ')[1], value: 1 }));
  const timestamp = AT.startDate;
  const workout = {
    ...AT,
    type: 'running',
    values,
    route: [{ timestamp, latitude: 1, longitude: 1, altitudeM: 1 }],
    samples: ['heartRate', 'cadence', 'speed', 'power'].map((type) => ({ timestamp, type, value: 60 })),
  };
  const score = [{ type: 'sleepScore', value: 80, unit: 'score' }];
  const data = {
    records: types.map((type) => ({
      ...AT,
      type,
      value: sentValue(provider, type),
      unit: null,
      heartbeats: type.endsWith('SDNN') ? Array.from({ length: 30 }, (_, time) => ({ time })) : null,
    })),
    sleep: [
      {
        ...AT,
        id: 's',
        parentId: provider === 'apple' ? null : 'p',
        stage: 'light',
        values: provider === 'apple' ? null : score,
      },
    ],
    workouts: [workout],
  };
  return { provider, sdkVersion: '1', syncTimestamp: AT.startDate, data };
}

it.each(PROVIDERS.filter(({ push }) => push).map(({ id }) => id))('emits the declared coverage of %s', (id) => {
  const { push, cloud, coverage: whole, capabilities } = providerById(id) ?? {};
  if (!push || !whole) throw new Error('no adapter');
  // Compares pushed coverage only. Cloud coverage is compared where the cloud is read.
  const coverage = cloud ? GOOGLE_PUSH_COVERAGE : whole;
  const reading = readPush(everything(id), push);
  if (!('batch' in reading)) throw new Error('the envelope was rejected');
  expect(reading.report.rejections.first).toEqual([]);
  expect(reading.report.ignored).toEqual({});
  const { samples, records } = reading.batch;
  const emitted = new Set(
    [...samples.typeId.subarray(0, samples.length)].map((typeId) => seriesTypeById(typeId)?.code),
  );
  expect(SERIES_TYPES.map(({ code }) => code).filter((code) => emitted.has(code))).toEqual(coverage.series);
  const kinds = new Set(records.map(({ kind }: HealthRecord) => kind));
  expect(kinds.has('health_score')).toBe(coverage.healthScores.length > 0);
  const fields = filledWorkoutFields(records);
  expect(fields).toEqual(PUSHED_WORKOUT_FIELDS);
  // The provider's export file may contain more.
  if (capabilities?.file) expect(coverage.workoutFields).toEqual(expect.arrayContaining(fields));
  else expect(coverage.workoutFields).toEqual(fields);
});
