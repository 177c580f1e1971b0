import { MS_PER_DAY } from '@healthd/model';
import { type StravaActivity, type StravaSimulator, startStravaSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { consent } from '../../testing/consent.js';
import { read as readRange } from '../../testing/read.js';
import { STRAVA_CLOUD } from '../cloud.js';
import { readStravaError } from '../read-error.js';

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

async function read() {
  const { api, scopes } = await consent(STRAVA_CLOUD, simulator, 'ada', ALL);
  return readRange(STRAVA_CLOUD, api, scopes, 'activity', RANGE);
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

it('reads the true offsets of activities in every form', async () => {
  const met = new Set<string>();
  for (let n = 0; n < 6; n++) {
    const id = `person-${n}`;
    await simulator.control.addAccount({ id, timeZone: 'Asia/Kolkata' });
    await simulator.control.seedHistory(id, { seed: n + 1, days: 10 });
    met.add((await simulator.control.forms(id)).offset);
    const { activities } = await simulator.control.truth(id);
    const { api, scopes } = await consent(STRAVA_CLOUD, simulator, id, ALL);
    const { workouts } = await readRange(STRAVA_CLOUD, api, scopes, 'activity', RANGE);
    const offsets = workouts.map(({ externalId, offsetMinutes }) => [externalId, offsetMinutes]);
    expect(Object.fromEntries(offsets)).toEqual(
      Object.fromEntries(activities.map((one) => [one.id, one.offsetMinutes])),
    );
  }
  expect([...met].toSorted()).toEqual(['given', 'wall_clock']);
});

it('counts a value that it does not understand, with its field', async () => {
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
    'a dead access token of the athlete',
    401,
    { resource: 'Athlete', field: 'access_token', code: 'invalid' },
    true,
    'unauthorized',
  ],
  [
    'a dead access token of the application',
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
      `a renewal that is refused for the ${resource}`,
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
    'a dead refresh token',
    400,
    { resource: 'RefreshToken', field: 'refresh_token', code: 'invalid' },
    false,
    'unauthorized',
  ],
])('an error about %s (%i) has its meaning', (_, status, error, hasToken, code) => {
  expect(readStravaError(status, { message: 'x', errors: [error] }, new Headers(), hasToken)).toMatchObject({ code });
});
