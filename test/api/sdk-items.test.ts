import { MS_PER_DAY, type SeriesCode, seriesTypeById } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPushFixture, type PushFixture } from './push-fixture.js';
import { GALAXY, payload, reading, WATCH } from './push-payloads.js';

let fixture: PushFixture;
beforeAll(async () => {
  fixture = await openPushFixture();
});
afterAll(() => fixture.close());

const AT = '2026-11-19T07:10:00Z';

/** Returns stored samples as `series value` with the time of day, with workout aggregates marked. */
async function stored(user: string): Promise<string[]> {
  const rows = await fixture.rows<{ type_id: number; value: number; at: Date; kind: number }>(
    `select type_id, value, start_at as at, slot >> 29 as kind from sample join health_user using (user_key) where id = $1
      order by type_id, start_at`,
    [user],
  );
  return rows.map(({ type_id, value, at, kind }) => {
    const code = seriesTypeById(type_id)?.code as SeriesCode;
    return `${code} ${Math.round(value * 1000) / 1000} @${at.toISOString().slice(11, 16)}${['', ' day', ' whole'][kind]}`;
  });
}

async function pushed(provider: string, data: Parameters<typeof payload>[1]) {
  const user = await fixture.createUser();
  const run = await fixture.pushed(user, payload(provider, data));
  return { user, run, samples: await stored(user) };
}

describe('pushed values', () => {
  it.each([
    ['BodyFatPercentage', 0.187, '%', 'body_fat_percentage 18.7'],
    ['OxygenSaturation', 97, '%', 'oxygen_saturation 97'],
    ['OxygenSaturation', 0.97, '%', 'oxygen_saturation 97'],
    ['OxygenSaturation', 1, '%', 'oxygen_saturation 100'],
    ['WalkingAsymmetryPercentage', 0.005, '%', 'walking_asymmetry_percentage 0.5'],
    ['Height', 1.81, 'm', 'height 181'],
    ['Height', 1.81, null, 'height 181'],
    ['WaistCircumference', 0.84, 'm', 'waist_circumference 84'],
    ['RunningStrideLength', 1.08, 'm', 'running_stride_length 108'],
    ['BodyMass', 150, 'lb', 'weight 68.039'],
    ['DistanceWalkingRunning', 5, 'km', 'distance_walking_running 5000'],
    ['BloodGlucose', 5.4, 'mmol/L', 'blood_glucose 97.284'],
    ['BodyTemperature', 98.6, 'degF', 'body_temperature 37'],
    ['AppleSleepingWristTemperature', 34.6, 'degC', 'skin_temperature 34.6'],
    ['ActiveEnergyBurned', 12, 'Cal', 'energy 12'],
    ['DietaryWater', 0.25, 'L', 'hydration 250'],
    ['UnderwaterDepth', 12, 'm', 'underwater_depth 12'],
    ['HeartRate', '71', 'count/min', 'heart_rate 71'],
  ])("stores Apple's %s %s %s as %s", async (type, value, unit, expected) => {
    const record = reading(`HKQuantityTypeIdentifier${type}`, AT, value, unit, { source: WATCH });
    const { run, samples } = await pushed('apple', { records: [record] });
    expect({ status: run.status, samples }).toEqual({ status: 'success', samples: [`${expected} @07:10`] });
  });

  it.each([
    ['BLOOD_PRESSURE_SYSTOLIC', 118, 'mmHg', 'blood_pressure_systolic 118'],
    ['BLOOD_GLUCOSE', 5.4, 'mmol/L', 'blood_glucose 97.284'],
    ['BLOOD_GLUCOSE', 97, null, 'blood_glucose 97'],
    ['HEIGHT', 1.68, 'm', 'height 168'],
    ['BODY_FAT', 27.4, '%', 'body_fat_percentage 27.4'],
    ['HEART_RATE_VARIABILITY', 48.2, 'ms', 'heart_rate_variability_rmssd 48.2'],
    ['HYDRATION', 330, 'mL', 'hydration 330'],
    ['OXYGEN_SATURATION', 1, '%', 'oxygen_saturation 100'],
    ['OXYGEN_SATURATION', 0.99, '%', 'oxygen_saturation 99'],
    ['OXYGEN_SATURATION', 100, '%', 'oxygen_saturation 100'],
    ['DISTANCE', 1.2, 'km', 'distance_walking_running 1200'],
  ])("stores Android's %s %s %s as %s", async (type, value, unit, expected) => {
    for (const provider of ['samsung', 'google']) {
      const { run, samples } = await pushed(provider, { records: [reading(type, AT, value, unit)] });
      expect({ status: run.status, samples }).toEqual({ status: 'success', samples: [`${expected} @07:10`] });
    }
  });

  it('keep their interval and offset in any notation', async () => {
    const user = await fixture.createUser();
    const offsets = ['+02:00', '+0200', 'Z', 'Europe/Paris', 'somewhere', null];
    const records = offsets.map((zoneOffset, index) => ({
      ...reading('STEP_COUNT', `2026-11-19T0${index}:00:00Z`, 10, 'count'),
      endDate: `2026-11-19T0${index}:15:00Z`,
      zoneOffset,
    }));
    const run = await fixture.pushed(user, payload('google', { records }));
    const rows = await fixture.rows<{ offset_minutes: number | null; duration_ms: number }>(
      'select offset_minutes, duration_ms from sample join health_user using (user_key) where id = $1 order by start_at',
      [user],
    );
    expect(rows.map(({ offset_minutes }) => offset_minutes)).toEqual([120, 120, 0, 60, null, null]);
    expect(new Set(rows.map(({ duration_ms }) => duration_ms))).toEqual(new Set([900_000]));
    expect(run).toMatchObject({ status: 'success', metadata: { unreadable_zone_offsets: 1 } });
  });

  it("of a metabolic rate are one day's basal energy, without duplicates", async () => {
    const rate = (at: string, value: number) => reading('BASAL_METABOLIC_RATE', at, value, 'kcal/day');
    const records = [rate('2026-11-19T07:00:00Z', 1700), rate('2026-11-19T19:00:00Z', 1710)];
    const { samples } = await pushed('google', { records });
    expect(samples).toEqual(['basal_energy 1710 @22:00 day']);
  });

  it('of total energy become basal energy after subtracting active energy', async () => {
    const at = { endDate: '2026-11-19T07:40:00Z' };
    const { samples, run } = await pushed('google', {
      records: [
        { ...reading('ACTIVE_CALORIES_BURNED', AT, 80, 'kcal'), ...at },
        { ...reading('TOTAL_CALORIES_BURNED', AT, 115, 'kcal'), ...at },
        reading('TOTAL_CALORIES_BURNED', '2026-11-19T09:00:00Z', 50, 'kcal'),
      ],
    });
    expect(samples).toEqual(['energy 80 @07:10', 'basal_energy 35 @07:10']);
    expect(run.metadata.ignored).toEqual({ TOTAL_CALORIES_BURNED: 1 });
  });

  it('of total energy become active energy if only basal is known', async () => {
    const at = { endDate: '2026-11-19T07:40:00Z' };
    const { user, samples, run } = await pushed('google', {
      records: [
        reading('BASAL_METABOLIC_RATE', '2026-11-19T20:00:00Z', 1440, 'kcal/day'),
        { ...reading('TOTAL_CALORIES_BURNED', AT, 115, 'kcal'), ...at },
        { ...reading('TOTAL_CALORIES_BURNED', '2026-11-18T07:10:00Z', 50, 'kcal'), endDate: '2026-11-18T07:40:00Z' },
      ],
    });
    expect(samples).toEqual(['energy 85 @07:10', 'basal_energy 1440 @22:00 day', 'basal_energy 1440 @22:00 day']);
    expect(run.metadata.ignored).toEqual({ TOTAL_CALORIES_BURNED: 1 });

    // Later active energy of the same half hour has other boundaries. It does not add to the derived energy.
    const active = (start: string, end: string, kcal: number) => ({
      ...reading('ACTIVE_CALORIES_BURNED', start, kcal, 'kcal'),
      endDate: end,
    });
    const records = [
      active(AT, '2026-11-19T07:25:00Z', 40),
      active('2026-11-19T07:25:00Z', '2026-11-19T07:40:00Z', 45),
    ];
    await fixture.pushed(user, payload('google', { records }));
    const day = await fixture.read<{ data: object[] }>(
      `/api/v1/users/${user}/summaries/activity?start_date=2026-11-19&end_date=2026-11-20`,
    );
    expect(day.data).toEqual([expect.objectContaining({ active_calories_kcal: 85, total_calories_kcal: 1525 })]);
  });

  it('beyond the bounds of their series are rejected and counted', async () => {
    const pulse = (value: number, at = AT) => reading('HEART_RATE', at, value, 'bpm');
    const { samples, run } = await pushed('google', {
      records: [
        pulse(14),
        pulse(15),
        reading('OXYGEN_SATURATION', AT, 29, '%'),
        pulse(350, '2026-11-19T07:11:00Z'),
        pulse(351),
      ],
    });
    expect(samples).toEqual(['heart_rate 15 @07:10', 'heart_rate 350 @07:11']);
    const rejected = (index: number, detail: string) => ({
      collection: 'records',
      index,
      field: 'value',
      code: 'implausible',
      detail,
    });
    const bpm = 'heart_rate 15..350 bpm';
    expect(run.metadata).toMatchObject({
      items: { read: 5, inserted: 2, rejected: 3 },
      rejected: [rejected(0, bpm), rejected(2, 'oxygen_saturation 30..100 percent'), rejected(4, bpm)],
    });
  });

  it('far in the future are rejected without affecting other items', async () => {
    const ahead = new Date(Date.now() + 3 * MS_PER_DAY).toISOString();
    const records = [reading('STEP_COUNT', AT, 10, 'count'), reading('STEP_COUNT', ahead, 20, 'count')];
    const { samples, run } = await pushed('google', { records });
    expect(samples).toEqual(['steps 10 @07:10']);
    expect(run.status).toBe('partial');
    expect(run.metadata.rejected).toEqual([
      expect.objectContaining({ collection: 'records', index: 1, field: 'startDate', code: 'implausible' }),
    ]);
  });
});

describe('the source of a pushed item', () => {
  const sources = (user: string) =>
    fixture.rows<object>(
      `select device_model, writer, device_id, device_type, software_version from data_source
         join health_user u using (user_key) where u.id = $1 order by device_model, writer`,
      [user],
    );

  it('is the device for Apple, plus any app other than Apple Health', async () => {
    const type = 'HKQuantityTypeIdentifierHeartRate';
    const app = { name: 'Scale App', bundleIdentifier: 'com.example.scale', productType: 'iPhone16,1' };
    const version = { operatingSystemVersion: { majorVersion: 11, minorVersion: 1, patchVersion: 0 } };
    const { user } = await pushed('apple', {
      records: [
        reading(type, AT, 71, 'bpm', { source: { ...WATCH, ...version } }),
        reading(type, AT, 72, 'bpm', { source: { deviceName: 'Apple Watch', deviceModel: 'Watch7,3' } }),
        reading(type, AT, 73, 'bpm', { source: app }),
      ],
    });
    expect(await sources(user)).toEqual([
      { device_model: 'Watch7,3', writer: null, device_id: null, device_type: 'watch', software_version: '11.1' },
      {
        device_model: 'iPhone16,1',
        writer: 'Scale App',
        device_id: null,
        device_type: 'phone',
        software_version: null,
      },
    ]);
  });

  it('is the device for Android, or the app without a device model', async () => {
    const { user } = await pushed('samsung', {
      records: [
        reading('HEART_RATE', AT, 71, 'bpm', { source: { ...GALAXY, deviceId: 'GW-0091', deviceType: 'watch' } }),
        reading('HEART_RATE', '2026-11-19T07:11:00Z', 71, 'bpm', { source: { deviceModel: 'SM-L330' } }),
        reading('HEART_RATE', AT, 72, 'bpm', { source: { appId: 'org.example.hrv', deviceType: 'chest_strap' } }),
      ],
    });
    expect(await sources(user)).toEqual([
      { device_model: 'SM-L330', writer: null, device_id: null, device_type: 'watch', software_version: null },
      { device_model: null, writer: 'org.example.hrv', device_id: null, device_type: 'other', software_version: null },
    ]);
  });
});

describe('pushed workouts', () => {
  const workouts = (user: string) =>
    fixture.rows<Record<string, unknown>>(
      'select w.* from workout w join health_user using (user_key) where health_user.id = $1 order by start_at',
      [user],
    );
  const span = { startDate: '2026-11-19T17:00:00Z', endDate: '2026-11-19T17:50:00Z', zoneOffset: '+01:00' };
  const value = (type: string, amount: number, unit: string) => ({ type, value: amount, unit });

  it('keep all figures, texts, segments, laps, route and samples', async () => {
    const workout = {
      id: 'ex-12',
      type: 'RUNNING',
      ...span,
      title: 'Morning run',
      notes: 'Tempo',
      source: GALAXY,
      values: [
        value('duration', 2_940_000, 'ms'),
        value('calories', 511, 'kcal'),
        value('distance', 8.42, 'km'),
        value('meanHeartRate', 149.5, 'bpm'),
        value('maxHeartRate', 176, 'bpm'),
        value('minHeartRate', 101, 'bpm'),
        value('meanSpeed', 10.08, 'km/h'),
        value('meanCadence', 166, 'spm'),
        value('maxCadence', 181, 'spm'),
        value('altitudeGain', 52, 'm'),
        value('vo2Max', 46.1, 'mL/kg/min'),
        value('unheardOf', 1, 'x'),
      ],
      segments: [{ startDate: span.startDate, endDate: '2026-11-19T17:20:00Z', type: 'running', repetitions: 0 }],
      laps: [{ startDate: span.startDate, endDate: '2026-11-19T17:05:00Z', distanceM: 1000 }],
      route: [{ timestamp: '2026-11-19T17:01:00Z', latitude: 50.0612345, longitude: 19.94, altitudeM: 210 }],
      samples: [{ timestamp: '2026-11-19T17:01:00Z', type: 'heartRate', value: 120, unit: 'bpm' }],
    };
    const { user, run, samples } = await pushed('samsung', { workouts: [workout] });
    expect(run).toMatchObject({ status: 'success', metadata: { ignored: { 'workout value unheardOf': 1 } } });
    expect((await workouts(user))[0]).toMatchObject({
      type: 'running',
      name: 'Morning run',
      external_id: 'ex-12',
      duration_seconds: 2940,
      calories_kcal: 511,
      distance_meters: 8420,
      heart_rate_avg: 149.5,
      heart_rate_max: 176,
      average_cadence: 166,
      elevation_gain_meters: 52,
      offset_minutes: 60,
      metadata: { notes: 'Tempo', max_cadence_rpm: 181 },
      events: [
        { type: 'segment', start_time: '2026-11-19T17:00:00.000Z', duration_seconds: 1200, label: 'running' },
        { type: 'lap', start_time: '2026-11-19T17:00:00.000Z', duration_seconds: 300, distance_meters: 1000 },
      ],
    });
    expect(samples).toEqual([
      'heart_rate 120 @17:01',
      'vo2_max 46.1 @17:50 whole',
      'elevation 210 @17:01',
      'latitude 50.061 @17:01',
      'longitude 19.94 @17:01',
    ]);
  });

  it('follow a correction under the same ID', async () => {
    const user = await fixture.createUser();
    const workout = { id: 'ex-1', type: 'YOGA', ...span, source: GALAXY };
    await fixture.pushed(user, payload('samsung', { workouts: [workout] }));
    const [first] = await workouts(user);
    await fixture.pushed(
      user,
      payload('samsung', { workouts: [{ ...workout, type: 'PILATES', endDate: '2026-11-19T18:00:00Z' }] }),
    );
    expect((await workouts(user)).map(({ id, type }) => [id, type])).toEqual([[first?.id, 'pilates']]);
  });

  it('with one invalid part lose only that part', async () => {
    const workout = {
      id: 'ex-2',
      type: 'walking',
      ...span,
      values: [value('distance', 5, 'furlong'), { type: 'duration' }, value('stepCount', 100.7, 'count')],
      route: [{ timestamp: 'later', latitude: 1, longitude: 1 }, 7],
    };
    const { user, run } = await pushed('google', { workouts: [workout] });
    expect(run.status).toBe('partial');
    expect(
      (run.metadata.rejected as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`),
    ).toEqual([
      'values[0].unit unknown_unit',
      'values[1].value invalid_value',
      'route[0].timestamp invalid_date',
      'route[1] not_an_object',
    ]);
    expect((await workouts(user))[0]).toMatchObject({ type: 'walking', steps_count: 100, distance_meters: null });
  });

  it.each([
    ['apple', 'hiit', 'cardio_training'],
    ['apple', 'strength_training', 'strength_training'],
    ['apple', 'skating', 'skating'],
    ['apple', 'other', 'generic'],
    ['google', 'CYCLING_STATIONARY', 'indoor_cycling'],
    ['google', ' Running_Treadmill ', 'treadmill'],
    ['samsung', 'SWIMMING_POOL', 'pool_swimming'],
    ['samsung', 'QUIDDITCH', 'other'],
    ['samsung', null, 'other'],
  ])('of %s with the type %s become %s', async (provider, type, expected) => {
    const { user } = await pushed(provider, { workouts: [{ id: 'w', type, ...span, values: null }] });
    expect((await workouts(user))[0]?.type).toBe(expected);
  });
});
