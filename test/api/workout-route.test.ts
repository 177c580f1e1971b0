import { batchOf, type HealthRecord, MS_PER_SECOND, type SeriesCode, seriesTypeIds } from '@healthd/model';
import { composeRecordWriter } from '@healthd/daemon/record-writer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, recordedUser, type TestUser } from '../support/recorded-user.js';
import { PHONE, run, sample } from '../support/records.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const START = Date.parse('2026-03-10T17:00Z');
const timeOf = (second: number) => new Date(START + second * MS_PER_SECOND).toISOString();

/** Returns the readings of one second of the run. */
function reading(second: number, values: Partial<Record<SeriesCode, number>>): HealthRecord[] {
  return Object.entries(values).map(([code, value]) => sample(code as SeriesCode, timeOf(second), value));
}

async function workoutOf(user: TestUser): Promise<string> {
  const list = await service.call(
    'GET',
    `/api/v1/users/${user.id}/events/workouts?start_date=2026-03-10&end_date=2026-03-11`,
  );
  return list.body.data[0].id;
}

async function routeOf(user: TestUser, query = '') {
  return service.call('GET', `/api/v1/users/${user.id}/events/workouts/${await workoutOf(user)}/route${query}`);
}

describe('the route of a workout', () => {
  test('contains positions, elevations, times and speeds as GeoJSON', async () => {
    const user = await recordedUser(
      service,
      run(),
      ...reading(0, { latitude: 52.51, longitude: 13.37, elevation: 34, speed: 2.5 }),
      ...reading(2, { latitude: 52.52, longitude: 13.38 }),
      ...reading(3_600, { latitude: 52.53, longitude: 13.39, elevation: 36 }),
    );
    const { status, body } = await routeOf(user);
    expect(status).toBe(200);
    expect(body).toEqual({
      type: 'Feature',
      geometry: {
        type: 'LineString',
        coordinates: [
          [13.37, 52.51, 34],
          [13.38, 52.52],
          [13.39, 52.53, 36],
        ],
      },
      properties: {
        workout_id: await workoutOf(user),
        times: ['2026-03-10T17:00:00Z', '2026-03-10T17:00:02Z', '2026-03-10T18:00:00Z'],
        speeds_m_per_s: [2.5, null, null],
        total_points: 3,
        complete: true,
      },
      source: expect.objectContaining({ provider: 'apple', device: 'Watch6,2' }),
    });
  });

  test('excludes positions outside of the workout, of other sources and without longitude', async () => {
    const user = await recordedUser(
      service,
      run(),
      ...reading(-1, { latitude: 1, longitude: 1 }),
      ...reading(3_601, { latitude: 2, longitude: 2 }),
      sample('latitude', timeOf(5), 3, { source: PHONE }),
      sample('longitude', timeOf(5), 3, { source: PHONE }),
      ...reading(6, { latitude: 4 }),
      ...reading(10, { latitude: 52.51, longitude: 13.37 }),
      ...reading(11, { latitude: 52.52, longitude: 13.37 }),
    );
    const { geometry } = (await routeOf(user)).body;
    expect(geometry.coordinates).toEqual([
      [13.37, 52.51],
      [13.37, 52.52],
    ]);
  });

  test('contains one position per instant', async () => {
    const twice = (code: SeriesCode, values: number[]): HealthRecord[] =>
      values.map((value, index) => ({ ...sample(code, timeOf(1), value), externalId: `route ${index}` }));
    const user = await recordedUser(
      service,
      run(),
      ...twice('latitude', [10, 20]),
      ...twice('longitude', [11, 21]),
      ...reading(2, { latitude: 30, longitude: 31 }),
    );
    const { geometry, properties } = (await routeOf(user)).body;
    expect(properties.total_points).toBe(2);
    expect([
      [11, 10],
      [21, 20],
    ]).toContainEqual(geometry.coordinates[0]);
    expect(geometry.coordinates[1]).toEqual([31, 30]);
  });

  test.each([[[]], [reading(0, { latitude: 1, longitude: 1 })]])(
    'has no geometry with fewer than two positions',
    async (records) => {
      const { status, body } = await routeOf(await recordedUser(service, run(), ...records));
      expect(status).toBe(200);
      expect(body).toMatchObject({ geometry: null, properties: { times: [], total_points: records.length / 2 } });
    },
  );

  test('omits positions near the simplified line', async () => {
    const points = [0, 1, 2, 3, 4].flatMap((second) =>
      reading(second, { latitude: 50 + second * 0.001, longitude: second === 2 ? 10.00001 : 10 }),
    );
    const user = await recordedUser(service, run(), ...points);
    const { geometry, properties } = (await routeOf(user, '?simplify=5')).body;
    expect(geometry.coordinates).toEqual([
      [10, 50],
      [10, 50.004],
    ]);
    expect(properties).toMatchObject({
      times: ['2026-03-10T17:00:00Z', '2026-03-10T17:00:04Z'],
      total_points: 5,
    });
    expect((await routeOf(user)).body.geometry.coordinates).toHaveLength(5);
  });

  test('thins a long route to 20,000 positions with both ends', async () => {
    const user = await newUser(service);
    const count = 250_000;
    const writer = composeRecordWriter(service.pool, { sleepEndGapMinutes: 120, storeRoutes: true, decideThreads: 1 });
    try {
      await writer.write(user.userKey, batchOf([run()]));
    } finally {
      await writer.close();
    }
    await service.pool.query(
      `insert into sample (user_key, type_id, start_at, source_id, slot, value)
       select w.user_key, t.id, w.start_at + i * interval '10 milliseconds', w.source_id, 0, i / 10000.0
         from workout w, unnest($3::int2[]) t(id), generate_series(0, $2::int) i where w.user_key = $1`,
      [user.userKey, count - 1, seriesTypeIds(['latitude', 'longitude'])],
    );
    const { body } = await routeOf(user);
    expect(body.properties).toMatchObject({ total_points: 200_000, complete: false });
    expect(body.geometry.coordinates.length).toBeLessThanOrEqual(20_000);
    expect(body.geometry.coordinates.length).toBeGreaterThan(15_000);
    expect(body.geometry.coordinates[0]).toEqual([0, 0]);
    expect(body.geometry.coordinates.at(-1)).toEqual([19.9999, 19.9999]);
  }, 60_000);

  test.each([
    ['simplify=-1', 'greater_than_equal'],
    ['simplify=10001', 'less_than_equal'],
    ['simplify=NaN', 'int_parsing'],
  ])('rejects %s', async (query, type) => {
    const { status, body } = await routeOf(await recordedUser(service, run()), `?${query}`);
    expect(status).toBe(422);
    expect(body.detail[0]).toMatchObject({ loc: ['query', 'simplify'], type });
  });

  test("hides other users' routes", async () => {
    const owner = await recordedUser(service, run());
    const stranger = await newUser(service);
    const route = `/api/v1/users/${stranger.id}/events/workouts/${await workoutOf(owner)}/route`;
    expect(await service.call('GET', route)).toMatchObject({ status: 404, body: { detail: 'Workout not found' } });
    expect((await service.anonymous('GET', route)).status).toBe(401);
  });
});

describe('without stored routes', () => {
  test('drops positions but stores the workout and its other readings', async () => {
    const user = await newUser(service);
    const writer = composeRecordWriter(service.pool, { sleepEndGapMinutes: 120, storeRoutes: false, decideThreads: 1 });
    try {
      const records = [run(), ...reading(0, { latitude: 52.5, longitude: 13.4, elevation: 34, heart_rate: 120 })];
      const { items } = await writer.write(user.userKey, batchOf(records));
      expect(items).toMatchObject({ inserted: 3, suppressed: 2, rejected: 0 });
    } finally {
      await writer.close();
    }
    const { rows } = await service.pool.query('select type_id from sample where user_key = $1 order by 1', [
      user.userKey,
    ]);
    const stored = seriesTypeIds(['elevation', 'heart_rate']).sort((a, b) => a - b);
    expect(rows.map(({ type_id: id }) => id)).toEqual(stored);
    expect((await routeOf(user)).body).toMatchObject({ geometry: null, properties: { total_points: 0 } });
  });
});
