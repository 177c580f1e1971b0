import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { type StravaActivity, type StravaSimulator, startStravaSimulator, type VendorFault } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CloudProvider } from '../../cloud/index.js';
import { consent, modeOf } from '../../testing/consent.js';
import { read as readRange } from '../../testing/read.js';
import { STRAVA } from '../provider.js';
import { STRAVA_WITH_STREAMS } from '../testing/with-streams.js';

const NOW = '2026-05-10T20:00:00Z';
const RANGE = { startMs: Date.parse(NOW) - 45 * MS_PER_DAY, endMs: Date.parse(NOW) };
const ALL = 'read activity:read activity:read_all';
let simulator: StravaSimulator;
beforeAll(async () => {
  simulator = await startStravaSimulator({
    autoConsent: true,
    limits: { readsPerQuarter: 10_000, perQuarter: 10_000 },
  });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.setClock(NOW);
  await simulator.control.addAccount({ id: 'ada', timeZone: 'Asia/Kolkata' });
});

async function read(range = RANGE, scope = ALL, cloud: CloudProvider = STRAVA.cloud) {
  const { api, scopes } = await consent(cloud, simulator, 'ada', scope);
  return readRange(cloud, api, scopes, 'activity', range);
}

const ride = (change: Partial<StravaActivity> = {}): StravaActivity => ({
  id: 14_500_000_001,
  name: 'Morning Ride',
  sport_type: 'GravelRide',
  type: 'Ride',
  start_date: '2026-05-09T06:30:00Z',
  start_date_local: '2026-05-09T12:00:00Z',
  utc_offset: 19_800,
  elapsed_time: 5_600,
  moving_time: 5_210,
  distance: 38_210.4,
  visibility: 'everyone',
  ...change,
});
const put = (...activities: StravaActivity[]) => simulator.control.put('ada', { activities });

it('reads 40 days of simulated data at a half-hour offset', async () => {
  await simulator.control.seedHistory('ada', { seed: 7, days: 40 });
  const { activities } = await simulator.control.truth('ada');
  const { workouts, rejections } = await read();
  expect(rejections.total).toBe(0);
  expect(activities.length).toBeGreaterThan(20);
  expect(activities.some(({ isPrivate }) => isPrivate)).toBe(true);
  expect(workouts.toSorted((a, b) => a.startMs - b.startMs)).toMatchObject(
    activities.map(({ id, startMs, endMs, sport, meters, kcal }) => ({
      externalId: id,
      startMs,
      endMs,
      offsetMinutes: 330,
      distanceMeters: meters,
      totalCaloriesKcal: kcal,
      metadata: { vendor_type: sport },
    })),
  );
});

it('reads private activities if the user consented', async () => {
  await put(ride(), ride({ id: 2, visibility: 'only_me' }), ride({ id: 3, visibility: 'followers_only' }));
  const ids = async (scope: string) =>
    (await read(RANGE, scope)).workouts.map(({ externalId }) => externalId).toSorted();
  expect(await ids('read activity:read')).toEqual(['14500000001', '3']);
  expect(await ids(ALL)).toEqual(['14500000001', '2', '3']);
  await expect(read(RANGE, 'read')).rejects.toMatchObject({ code: 'scope_missing' });
});

describe('an activity', () => {
  const one = async (change: Partial<StravaActivity>) => {
    await put(ride(change));
    return (await read()).workouts[0];
  };

  it.each<[string, Partial<StravaActivity>, object]>([
    ['with work as its only energy value', { kilojoules: 928.4 }, { totalCaloriesKcal: 928.4 }],
    ['with work, and energy in its details', { kilojoules: 928.4, calories: 901 }, { totalCaloriesKcal: 901 }],
    ['of 0 work with energy in its details', { kilojoules: 0, calories: 410 }, { totalCaloriesKcal: 410 }],
    ['without power, with energy in its details', { calories: 410 }, { totalCaloriesKcal: 410 }],
    ['of unknown energy', { kilojoules: 0, calories: 0 }, { totalCaloriesKcal: undefined }],
    ['on foot, with the steps of one leg', { sport_type: 'Run', average_cadence: 84.5 }, { averageCadence: 169 }],
    ['on wheels', { average_cadence: 82.1 }, { averageCadence: 82.1 }],
    ['on a trainer', { sport_type: 'Ride', trainer: true }, { type: 'indoor_cycling', indoor: true }],
    ['entered manually', { manual: true, start_latlng: [] }, { userEntered: true }],
    ['in an old format', { sport_type: undefined, utc_offset: undefined }, { type: 'cycling', offsetMinutes: 330 }],
    ['west of Greenwich', { utc_offset: -12_600 }, { offsetMinutes: -210 }],
    ['of a named device', { device_name: 'Garmin Edge 840' }, { source: { deviceModel: 'Garmin Edge 840' } }],
    ['without a device', {}, { source: { deviceType: 'other' } }],
    ['without any figures', { distance: null, moving_time: null, name: null, average_speed: 'fast' }, {}],
  ])('%s has the expected fields', async (_, change, expected) => {
    expect(await one(change)).toMatchObject({ externalId: '14500000001', durationSeconds: 5_600, ...expected });
  });

  it.each<[string, Partial<StravaActivity>, string]>([
    ['without a length', { elapsed_time: null as never, moving_time: null }, 'end_date'],
    ['of length 0', { elapsed_time: 0 }, 'end_date'],
    ['of an impossible length', { elapsed_time: 1e300 }, 'end_date'],
    ['that ends before it starts', { elapsed_time: -5 }, 'end_date'],
  ])('%s is rejected while the other activities are read', async (_, change, field) => {
    await put(ride({ id: 5, start_date: '2026-05-08T06:30:00Z' }), ride(change));
    const { workouts, rejections } = await read();
    expect(workouts.map(({ externalId }) => externalId)).toEqual(['5']);
    expect(rejections.first).toMatchObject([{ collection: 'activity', field }]);
  });
});

it('drops an activity that was deleted during the read', async () => {
  await put(ride({ kilojoules: 900 }), ride({ id: 2, start_date: '2026-05-08T06:30:00Z' }));
  await simulator.control.addFault({ kind: 'error', status: 404, path: '/activities/2', times: null });
  expect((await read()).workouts.map(({ externalId }) => externalId)).toEqual(['14500000001']);
});

describe('rejected details', () => {
  const DETAILS = '/activities/14500000001';
  it.each<[string, VendorFault, string]>([
    ['fail each time', { kind: 'error', status: 500 }, 'unavailable 500'],
    ['are forbidden', { kind: 'error', status: 403 }, 'scope_missing 403'],
    ['are not an object', { kind: 'error', status: 200, body: [] }, 'invalid_answer details'],
  ])('stores an activity from the list if its details %s', async (_, fault, detail) => {
    await put(ride({ kilojoules: 900, calories: 850 }), ride({ id: 2, start_date: '2026-05-08T06:30:00Z' }));
    await simulator.control.addFault({ ...fault, path: DETAILS, times: null });
    const { workouts, rejections } = await read();
    expect(workouts.map(({ externalId }) => externalId).toSorted()).toEqual(['14500000001', '2']);
    expect(workouts.find(({ externalId }) => externalId === '14500000001')).toMatchObject({
      name: 'Morning Ride',
      totalCaloriesKcal: 900,
    });
    expect(rejections.first).toMatchObject([
      { field: 'details', code: 'not_given', detail: expect.stringContaining(detail) },
    ]);
  });

  it.each([
    [429, 'rate_limited'],
    [401, 'unauthorized'],
  ])('fails the window if a detail request is rejected with %i', async (status, code) => {
    await put(ride());
    await simulator.control.addFault({ kind: 'error', status, path: DETAILS, times: null });
    await expect(read()).rejects.toMatchObject({ code });
  });

  it('fails the window if the vendor becomes unavailable', async () => {
    await put(ride());
    const [startMs, endMs] = [RANGE.endMs - 3 * MS_PER_DAY, RANGE.endMs];
    await simulator.control.addFault({ kind: 'error', status: 503, path: '/activities', after: 2, times: null });
    await expect(read({ startMs, endMs })).rejects.toMatchObject({ code: 'unavailable' });
  });
});

it('reads all pages unless a page repeats', async () => {
  const startMs = Date.parse('2026-05-06T00:00:00Z');
  const many = Array.from({ length: 230 }, (_, n) =>
    ride({ id: n + 1, kilojoules: 1, elapsed_time: 60, start_date: new Date(startMs + n * 600_000).toISOString() }),
  );
  await put(...many);
  expect((await read()).workouts).toHaveLength(230);
  await simulator.control.addFault({ kind: 'repeated_page', path: 'page=2', times: null });
  await expect(read()).rejects.toMatchObject({ code: 'invalid_answer', reason: 'repeated_page' });
});

it('continues after a page that private activities shortened', async () => {
  const startMs = Date.parse('2026-05-06T00:00:00Z');
  const many = Array.from({ length: 230 }, (_, n) =>
    ride({
      id: n + 1,
      visibility: n % 3 === 0 ? 'only_me' : 'everyone',
      start_date: new Date(startMs + n * 600_000).toISOString(),
    }),
  );
  await put(...many);
  expect((await read(RANGE, 'read activity:read')).workouts).toHaveLength(153);
});

it.each([429, 500])('discards the window if the second page fails with %i', async (status) => {
  await put(ride());
  await simulator.control.addFault({ kind: 'error', status, path: 'page=2', times: null });
  await expect(read()).rejects.toMatchObject({ code: status === 429 ? 'rate_limited' : 'unavailable' });
});

it('limits windows to a week', () => {
  const windows = STRAVA.cloud.pull.windows('activity', RANGE, modeOf(STRAVA.cloud), { scopes: new Set() });
  expect(windows[0]?.endMs).toBe(RANGE.endMs);
  expect(windows.at(-1)?.startMs).toBe(RANGE.startMs);
  for (const [n, { startMs, endMs }] of windows.entries()) {
    expect(endMs - startMs).toBeLessThanOrEqual(7 * MS_PER_DAY);
    if (n > 0) expect(endMs).toBe(windows[n - 1]?.startMs);
  }
});

describe('a window with many activities', () => {
  const FROM_MS = Date.parse('2026-05-04T00:00:00Z');
  const window = { startMs: FROM_MS, endMs: FROM_MS + 5 * MS_PER_DAY };
  /** One activity per hour; the oldest two start together. */
  const hourly = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      ride({ id: n + 1, start_date: new Date(FROM_MS + Math.max(1, n) * MS_PER_HOUR).toISOString() }),
    );
  const readPart = async (part = window, cloud: CloudProvider = STRAVA.cloud) => {
    const { api, scopes } = await consent(cloud, simulator, 'ada', ALL);
    const found = await cloud.pull?.read(api, 'activity', part, modeOf(cloud), { scopes });
    const records = found?.batch.records ?? [];
    return {
      ids: records
        .flatMap((record) => (record.kind === 'workout' ? [Number(record.externalId)] : []))
        .toSorted((a, b) => a - b),
      replaced: records.flatMap((record) =>
        record.kind === 'replacement' && record.of === 'workouts' ? [[record.startMs, record.endMs]] : [],
      ),
      fromMs: found?.fromMs,
      rejected: found?.rejections.total,
    };
  };

  it('reads the newest part of a range first', async () => {
    await put(...hourly(45), ride({ id: 99, start_date: '2026-05-05T00:00:00Z', elapsed_time: 0 }));
    const fromMs = FROM_MS + 16 * MS_PER_HOUR;
    const newest = await readPart();
    expect(newest).toMatchObject({ fromMs, replaced: [[fromMs, window.endMs]], rejected: 1 });
    expect(newest.ids).toEqual(Array.from({ length: 29 }, (_, n) => n + 17));
    const rest = await readPart({ ...window, endMs: fromMs });
    expect(rest).toMatchObject({ fromMs: FROM_MS, replaced: [[FROM_MS, fromMs]], rejected: 0 });
    expect(rest.ids).toEqual(Array.from({ length: 16 }, (_, n) => n + 1));
  });

  it('keeps activities with equal starts together', async () => {
    await put(...hourly(31));
    expect(await readPart()).toMatchObject({ fromMs: FROM_MS + MS_PER_HOUR });
    expect((await readPart()).ids).toHaveLength(31);
  });

  it('halves the number of activities per read if streams are enabled', async () => {
    await put(...hourly(31));
    expect((await readPart(window, STRAVA_WITH_STREAMS)).ids).toHaveLength(15);
  });

  it('reads at most 55 hours of streams, except one longer activity', async () => {
    const hours = (count: number) => ({ elapsed_time: count * 3_600 });
    const [, older, newer] = hourly(3);
    await put({ ...older, ...hours(30) } as StravaActivity, { ...newer, ...hours(30) } as StravaActivity);
    expect((await readPart(window, STRAVA_WITH_STREAMS)).ids).toHaveLength(1);
    expect((await readPart()).ids).toHaveLength(2);
    await put({ ...newer, ...hours(100) } as StravaActivity);
    expect((await readPart(window, STRAVA_WITH_STREAMS)).ids).toHaveLength(1);
  });
});

describe('readings', () => {
  const START = Date.parse('2026-05-09T06:30:00Z');
  const streams = { time: [0, 1, 3], heartrate: [101, 103, 104], velocity_smooth: [0, 3.1, 3.4], temp: [17, 17, 17] };
  const readings = (startMs: number) => read({ startMs, endMs: START + MS_PER_DAY }, ALL, STRAVA_WITH_STREAMS);

  it('timestamps the readings of worn sensors to the second', async () => {
    await simulator.control.put('ada', { activities: [ride()], streams: { 14500000001: streams } });
    const { samples } = await readings(START - MS_PER_DAY);
    expect(samples.map(({ series, at, value }) => `${series} ${Date.parse(at) - START} ${value}`)).toEqual([
      'heart_rate 0 101',
      'heart_rate 1000 103',
      'heart_rate 3000 104',
      'speed 0 0',
      'speed 1000 3.1',
      'speed 3000 3.4',
      'air_temperature 0 17',
      'air_temperature 1000 17',
      'air_temperature 3000 17',
    ]);
  });

  it('reads heights, temperatures and complete positions', async () => {
    const outdoors = {
      time: [0, 5, 9, 10],
      altitude: [12.4, 12.6, 13],
      temp: [17, 17, 18],
      latlng: [[41.15, -8.61], [], 7, [961, -8.61]],
    };
    await simulator.control.put('ada', { activities: [ride()], streams: { 14500000001: outdoors as never } });
    const { samples } = await readings(START - MS_PER_DAY);
    expect(samples.map(({ series, at, value }) => `${series} ${Date.parse(at) - START} ${value}`).toSorted()).toEqual([
      'air_temperature 0 17',
      'air_temperature 5000 17',
      'air_temperature 9000 18',
      'elevation 0 12.4',
      'elevation 5000 12.6',
      'elevation 9000 13',
      'latitude 0 41.15',
      'longitude 0 -8.61',
    ]);
  });

  it('stores an activity without readings', async () => {
    await put(ride());
    const { workouts, samples } = await readings(START - MS_PER_DAY);
    expect(workouts).toHaveLength(1);
    expect(samples).toEqual([]);
  });

  it('keeps stored readings whose streams are forbidden', async () => {
    const other = { id: 2, start_date: '2026-05-09T09:30:00Z' };
    await simulator.control.put('ada', {
      activities: [ride(), ride(other)],
      streams: { 14500000001: streams, 2: streams },
    });
    await simulator.control.addFault({ kind: 'error', status: 403, path: '/14500000001/streams', times: null });
    const startMs = START - MS_PER_DAY;
    const { workouts, samples, replaced, rejections } = await readings(startMs);
    expect(workouts).toHaveLength(2);
    expect(samples).toHaveLength(9);
    expect(rejections.first).toMatchObject([{ field: 'streams', code: 'not_given' }]);
    expect(replaced.filter(({ of }) => of === 'samples')).toMatchObject([
      { startMs, endMs: START },
      { startMs: START + 5_600_000, endMs: START + MS_PER_DAY },
    ]);
  });

  it('leaves readings of a 40-hour activity to the earlier window', async () => {
    const long = { start_date: '2026-05-07T06:30:00Z', elapsed_time: 40 * 3_600 };
    await simulator.control.put('ada', { activities: [ride(long)], streams: { 14500000001: streams } });
    const endsMs = START - 8 * MS_PER_HOUR;
    const startMs = endsMs - 5 * MS_PER_HOUR;
    const { replaced } = await readings(startMs);
    expect(replaced).toMatchObject([
      { of: 'workouts', startMs },
      { of: 'samples', startMs: endsMs, endMs: START + MS_PER_DAY },
    ]);
  });

  it('leaves readings of an earlier activity to the earlier window', async () => {
    await simulator.control.put('ada', { activities: [ride()], streams: { 14500000001: streams } });
    const startMs = START + 60_000;
    const { samples, replaced } = await readings(startMs);
    expect(samples).toEqual([]);
    expect(replaced).toMatchObject([
      { of: 'workouts', startMs },
      { of: 'samples', startMs: START + 5_600_000, endMs: START + MS_PER_DAY },
    ]);
  });

  it('requests readings only if the operator enables them', async () => {
    await simulator.control.put('ada', { activities: [ride()], streams: { 14500000001: streams } });
    expect((await read()).samples).toEqual([]);
    expect(await simulator.control.requests('/streams')).toEqual([]);
  });
});
