import type { WorkoutRecord } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { Tally } from '../../cloud/index.js';
import { workoutType } from './sports.js';
import { workoutOf } from './workout.js';

function workout(change: object = {}): { record: WorkoutRecord | undefined; tally: Tally } {
  const tally = new Tally('workouts');
  const record = workoutOf(
    {
      workoutKey: '66a1f0c2d4b9e7735c1e0b42',
      activityId: 22,
      startTime: 1_746_338_400_000,
      totalTime: 3_725.4,
      ...change,
    },
    tally,
  );
  return { record, tally };
}

describe('a workout', () => {
  it('stores every member in its unit', () => {
    const { record } = workout({
      workoutId: 0,
      stopTime: 1_746_342_240_000,
      totalDistance: 9_480,
      totalAscent: 188,
      totalDescent: 181,
      minAltitude: 842,
      maxAltitude: 1_769,
      maxSpeed: 4.31,
      avgSpeed: 2.55,
      avgSpeedInKmH: 9.18,
      avgPower: 261,
      maxPower: 402,
      energyConsumption: 640,
      stepCount: 9_920,
      recoveryTime: 54_000,
      timeOffsetInMinutes: 180,
      hrdata: { workoutMaxHR: 171, workoutAvgHR: 146, userMaxHR: 190, avg: 145, hrmax: 170, max: 190, min: 92 },
      cadence: { max: 96, avg: 84 },
      tss: { trainingStressScore: 71.2 },
      gear: { name: 'Wellington', displayName: 'Suunto Race S', serialNumber: '233100112233', swVersion: '2.41.30' },
    });
    expect(record).toEqual({
      kind: 'workout',
      source: {
        provider: 'suunto',
        writer: 'suunto_api',
        deviceModel: 'Suunto Race S',
        deviceId: '233100112233',
        deviceType: 'watch',
        softwareVersion: '2.41.30',
      },
      externalId: '66a1f0c2d4b9e7735c1e0b42',
      idScope: 'writer',
      type: 'trail_running',
      startMs: 1_746_338_400_000,
      endMs: 1_746_342_240_000,
      offsetMinutes: 180,
      durationSeconds: 3_725.4,
      movingSeconds: 3_725.4,
      distanceMeters: 9_480,
      totalCaloriesKcal: 640,
      stepsCount: 9_920,
      heartRateMin: 92,
      heartRateAvg: 145,
      heartRateMax: 170,
      averageSpeed: 2.55,
      maxSpeed: 4.31,
      averageWatts: 261,
      maxWatts: 402,
      averageCadence: 168,
      elevationGainMeters: 188,
      elevationLowMeters: 84.2,
      elevationHighMeters: 176.9,
      metadata: {
        vendor_type: 22,
        total_descent_meters: 181,
        recovery_time_seconds: 54_000,
        training_stress_score: 71.2,
      },
    });
  });

  it('ends after its duration without a stop time', () => {
    expect(workout().record).toMatchObject({ endMs: 1_746_342_125_400, source: { deviceType: 'watch' } });
    expect(workout().record?.source.deviceModel).toBeUndefined();
    expect(workout({ stopTime: 0 }).record?.endMs).toBe(1_746_342_125_400);
  });

  it.each([
    [{ minAltitude: 0, maxAltitude: 0 }, undefined, undefined],
    [{ minAltitude: 0, maxAltitude: 45 }, 0, 4.5],
    [{ minAltitude: -31, maxAltitude: 0 }, -3.1, 0],
    [{ maxAltitude: 45 }, undefined, 4.5],
  ])('reads altitudes of %j as %s and %s meters', (altitudes, low, high) => {
    const { record } = workout(altitudes);
    expect([record?.elevationLowMeters, record?.elevationHighMeters]).toEqual([low, high]);
  });

  it('accepts an ascent, but no steps, power or pulse of 0', () => {
    const { record } = workout({
      totalAscent: 0,
      stepCount: 0,
      avgPower: 0,
      energyConsumption: 0,
      hrdata: { avg: 0, hrmax: 0, min: 0, max: 190 },
    });
    expect(record?.elevationGainMeters).toBe(0);
    for (const member of ['stepsCount', 'averageWatts', 'totalCaloriesKcal', 'heartRateMin', 'heartRateMax'] as const) {
      expect(record?.[member], member).toBeUndefined();
    }
  });

  it('uses the older heart-rate names if the newer are missing', () => {
    expect(workout({ hrdata: { workoutMaxHR: 171, workoutAvgHR: 146, max: 190 } }).record).toMatchObject({
      heartRateAvg: 146,
      heartRateMax: 171,
    });
  });

  it('reads cadences, temperatures in kelvin and device from the summary', () => {
    const summary = {
      type: 'SummaryExtension',
      avgCadence: 1.5,
      avgTemperature: 294.15,
      gear: { name: 'Monza', softwareVersion: '2.1' },
    };
    expect(workout({ activityId: 2, extensions: [{ type: 'FitnessExtension' }, summary] }).record).toMatchObject({
      averageCadence: 90,
      source: { deviceModel: 'Monza', deviceType: 'watch', softwareVersion: '2.1' },
      metadata: { average_temperature_celsius: 21 },
    });
  });

  it.each([
    [{ workoutKey: undefined }, 'id', 'missing'],
    [{ startTime: null }, 'startTime', 'invalid_date'],
    [{ totalTime: null }, 'stopTime', 'invalid_date'],
    [{ stopTime: 1_746_338_300_000 }, 'stopTime', 'end_before_start'],
    [{ startTime: 1e30 }, 'startTime', 'invalid_date'],
  ])("with %j is rejected with the field's name", (change, field, code) => {
    const { record, tally } = workout(change);
    expect(record).toBeUndefined();
    expect(tally.rejections.first).toMatchObject([{ field, code }]);
  });

  it.each([
    [0, 'walking'],
    [3, 'cross_country_skiing'],
    [9, 'sport'],
    [53, 'treadmill'],
    [81, 'gymnastics'],
    [89, 'other'],
    [90, 'snorkeling'],
    [108, 'wheelchair'],
    [112, 'meditation'],
    [121, 'yoga'],
    [122, 'other'],
    [undefined, 'other'],
  ])('maps the activity %s to %s', (id, type) => {
    expect(workoutType(id)).toBe(type);
  });

  it('maps every activity number from 0 to 121 except 89', () => {
    const unknown = Array.from({ length: 122 }, (_, id) => id).filter((id) => workoutType(id) === 'other');
    expect(unknown).toEqual([89]);
  });
});
