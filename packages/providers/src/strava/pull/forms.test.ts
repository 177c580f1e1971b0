import { MS_PER_DAY } from '@healthd/model';
import { type StravaActivity, type StravaSimulator, startStravaSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CloudProvider, Tally } from '../../cloud/index.js';
import { consent } from '../../testing/consent.js';
import { silentMembers } from '../../testing/odd-versions.js';
import { read as readRange } from '../../testing/read.js';
import { STRAVA } from '../provider.js';
import { readStravaError } from '../read-error.js';
import { STRAVA_WITH_STREAMS } from '../testing/with-streams.js';
import { placedActivity, workoutOf } from './workout.js';

const NOW = '2026-05-10T20:00:00Z';
const RANGE = { startMs: Date.parse(NOW) - 40 * MS_PER_DAY, endMs: Date.parse(NOW) };
const ALL = 'read activity:read activity:read_all';
let simulator: StravaSimulator;
beforeAll(async () => {
  simulator = await startStravaSimulator({
    autoConsent: true,
    limits: { readsPerQuarter: 1e6, perQuarter: 1e6, readsPerDay: 1e6, perDay: 1e6 },
  });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.setClock(NOW);
  await simulator.control.addAccount({ id: 'ada', timeZone: 'Asia/Kolkata' });
});

async function read(cloud: CloudProvider = STRAVA.cloud) {
  const { api, scopes } = await consent(cloud, simulator, 'ada', ALL);
  return readRange(cloud, api, scopes, 'activity', RANGE);
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

it('reads the generated offset from every format', async () => {
  const met = new Set<string>();
  for (let n = 0; n < 6; n++) {
    const id = `person-${n}`;
    await simulator.control.addAccount({ id, timeZone: 'Asia/Kolkata' });
    await simulator.control.seedHistory(id, { seed: n + 1, days: 10 });
    met.add((await simulator.control.forms(id)).offset);
    const { activities } = await simulator.control.truth(id);
    const { api, scopes } = await consent(STRAVA.cloud, simulator, id, ALL);
    const { workouts } = await readRange(STRAVA.cloud, api, scopes, 'activity', RANGE);
    const offsets = workouts.map(({ externalId, offsetMinutes }) => [externalId, offsetMinutes]);
    expect(Object.fromEntries(offsets)).toEqual(
      Object.fromEntries(activities.map((one) => [one.id, one.offsetMinutes])),
    );
  }
  expect([...met].toSorted()).toEqual(['given', 'wall_clock']);
});

describe('unreadable members', () => {
  const whole = {
    ...ride(),
    calories: 410,
    kilojoules: 380,
    average_heartrate: 131,
    max_heartrate: 160,
    average_speed: 7.3,
    max_speed: 15,
    average_watts: 180,
    max_watts: 610,
    average_cadence: 82,
    total_elevation_gain: 510,
    elev_low: 12,
    elev_high: 340,
    device_name: 'Garmin Edge 840',
    trainer: true,
    manual: true,
    commute: true,
    device_watts: true,
  };

  it('counts members of an activity', () => {
    const read = (version: unknown) => {
      const tally = new Tally('activity');
      const placed = placedActivity(version, tally);
      return { stored: placed && workoutOf(placed), rejected: tally.rejections.total };
    };
    const words = ['id', 'name', 'sport_type', 'type', 'device_name', 'visibility'];
    expect(silentMembers(whole, words, read)).toEqual([]);
  });

  it.each<[string, object, number | undefined]>([
    ['reads the local start', {}, 330],
    ['has no offset without a local start', { start_date_local: null }, undefined],
    ['has no offset if both offsets are impossible', { start_date_local: '2026-05-20T06:00:00Z' }, undefined],
  ])('an activity with an impossible offset %s', async (_, change, offset) => {
    await put(ride({ utc_offset: 999_999, ...change }));
    const { workouts, rejections } = await read();
    expect(workouts[0]?.offsetMinutes).toBe(offset);
    expect(rejections.first.map(({ field }) => field)).toEqual(['utc_offset']);
  });

  it('counts readings of streams', async () => {
    const streams = {
      time: [0, 1, 'late', 3],
      heartrate: [101, 'fast', 103, null, 105],
      watts: 'none',
      latlng: [[41.15, -8.61], [], 7, [961, -8.61]],
    };
    await simulator.control.put('ada', { activities: [ride()], streams: { 14500000001: streams as never } });
    const { samples, rejections } = await read(STRAVA_WITH_STREAMS);
    expect(samples.map(({ series, value }) => `${series} ${value}`)).toEqual([
      'heart_rate 101',
      'latitude 41.15',
      'longitude -8.61',
    ]);
    expect(rejections.first.map(({ field, code }) => `${field} ${code}`).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'streams.heartrate not_understood'),
      ...Array.from({ length: 2 }, () => 'streams.latlng not_understood'),
      'streams.watts.data not_understood',
    ]);
  });
});

it('omits streams with more readings than an activity can have', async () => {
  const streams = { time: [0], heartrate: Array.from({ length: 200_001 }, () => 120) };
  await simulator.control.put('ada', { activities: [ride()], streams: { 14500000001: streams } });
  const { samples, workouts, rejections } = await read(STRAVA_WITH_STREAMS);
  expect([samples.length, workouts.length]).toEqual([0, 1]);
  expect(rejections.first).toMatchObject([
    { field: 'streams', code: 'not_given', detail: 'invalid_answer too_many_items' },
  ]);
});

it('counts each unreadable value with its field', async () => {
  await put(ride({ distance: 'far', trainer: 'yes', name: ['x'] }));
  const { workouts, rejections } = await read();
  expect(workouts).toHaveLength(1);
  expect(rejections.first.map(({ field, code }) => [field, code])).toEqual([
    ['distance', 'not_understood'],
    ['name', 'not_understood'],
    ['trainer', 'not_understood'],
  ]);
});

it.each<[string, number, object, boolean, string]>([
  [
    'an invalid access token of the athlete',
    401,
    { resource: 'Athlete', field: 'access_token', code: 'invalid' },
    true,
    'unauthorized',
  ],
  [
    'an invalid access token of the application',
    401,
    { resource: 'Application', field: '', code: 'invalid' },
    true,
    'unauthorized',
  ],
  [
    'a missing permission',
    401,
    { resource: 'AccessToken', field: 'activity:read_permission', code: 'missing' },
    true,
    'scope_missing',
  ],
  [
    'wrong client credentials',
    401,
    { resource: 'Application', field: 'client_secret', code: 'invalid' },
    false,
    'operator',
  ],
  ...(['Athlete', 'AccessToken'] as const).flatMap((resource) =>
    [400, 401].map((status): [string, number, object, boolean, string] => [
      `a renewal that is rejected for the ${resource}`,
      status,
      { resource, field: 'refresh_token', code: 'invalid' },
      false,
      'unauthorized',
    ]),
  ),
  [
    'a limit of connected athletes',
    403,
    { resource: 'Application', field: 'limit of connected athletes', code: 'exceeded' },
    false,
    'operator',
  ],
  [
    'an invalid refresh token',
    400,
    { resource: 'RefreshToken', field: 'refresh_token', code: 'invalid' },
    false,
    'unauthorized',
  ],
])('classifies an error about %s (%i)', (_, status, error, hasToken, code) => {
  expect(readStravaError(status, { message: 'x', errors: [error] }, new Headers(), hasToken)).toMatchObject({ code });
});
