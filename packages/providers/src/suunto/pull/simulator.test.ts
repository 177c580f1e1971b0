import { MS_PER_DAY, MS_PER_HOUR, seriesTypeByCode } from '@healthd/model';
import { type SuuntoSimulator, type SuuntoWorkout, startSuuntoSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consent, modeOf } from '../../testing/consent.js';
import { read as readRange } from '../../testing/read.js';
import { SUUNTO } from '../provider.js';

const NOW = '2026-05-10T20:00:00Z';
const NOW_MS = Date.parse(NOW);
const RANGE = { startMs: NOW_MS - 60 * MS_PER_DAY, endMs: NOW_MS };

let simulator: SuuntoSimulator;
beforeAll(async () => {
  simulator = await startSuuntoSimulator({ autoConsent: true, limits: { perMinute: 100_000, perWeek: 100_000 } });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.setClock(NOW);
  await simulator.control.addAccount({ id: 'ada', timeZone: 'Asia/Kolkata' });
});

async function read(dataType: string, range = RANGE) {
  const { api, scopes } = await consent(SUUNTO.cloud, simulator, 'ada');
  return readRange(SUUNTO.cloud, api, scopes, dataType, range);
}
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('50 days of simulated data at a half-hour offset', () => {
  beforeEach(() => simulator.control.seedHistory('ada', { seed: 7, days: 50 }));

  it('reads each simulated night and nap in a single version', async () => {
    const { sleeps } = await simulator.control.truth('ada');
    const { nights, samples, rejections } = await read('sleep');
    expect(rejections.total).toBe(0);
    const found = new Map(nights.map((night) => [night.startMs, night]));
    expect(sleeps.length).toBeGreaterThan(50);
    expect([...found.values()].toSorted((a, b) => a.startMs - b.startMs)).toMatchObject(
      sleeps.map((sleep) => ({ ...sleep, offsetMinutes: 330 })),
    );
    const resting = new Map(
      samples.filter(({ series }) => series === 'resting_heart_rate').map((one) => [one.at, one]),
    );
    expect(resting.size).toBe(sleeps.filter(({ isNap }) => !isNap).length);
  });

  it("reads ten-minute records that add up to the simulator's totals", async () => {
    const truth = await simulator.control.truth('ada');
    const { samples } = await read('activity');
    const valuesOf = (code: string) => {
      // Both ends of a request are inclusive, so two windows share a record.
      const byTime = new Map(samples.filter(({ series }) => series === code).map(({ at, value }) => [at, value]));
      return [...byTime.values()];
    };
    expect(sum(valuesOf('steps'))).toBe(truth.steps);
    expect(sum(valuesOf('energy'))).toBeCloseTo(truth.kilocalories);
    expect(valuesOf('heart_rate')).toHaveLength(truth.heartRates);
  });

  it('reads recovery in percent, with its state if known', async () => {
    const { recoveries } = await simulator.control.truth('ada');
    const { scores } = await read('recovery');
    const byTime = new Map(scores.map((score) => [score.atMs, score]));
    expect([...byTime.values()].toSorted((a, b) => a.atMs - b.atMs)).toMatchObject(
      recoveries.map(({ atMs, percent, state }) => ({
        atMs,
        value: percent,
        ...(state > 0 && { components: { stress_state: { value: state } } }),
      })),
    );
    expect(recoveries.some(({ state }) => state === 0)).toBe(true);
    expect(scores.some(({ qualifier }) => qualifier === undefined)).toBe(true);
  });

  it('dates existing daily totals by local date', async () => {
    const { days } = await simulator.control.truth('ada');
    const { samples } = await read('daily_statistics');
    const steps = samples.filter(({ series }) => series === 'steps');
    const largest = new Map<string, number>();
    for (const { date, steps: value } of days) {
      if (value !== null) largest.set(date, Math.max(value, largest.get(date) ?? 0));
    }
    const known = [...largest].map(
      ([date, value]) => `${new Date(Date.parse(`${date}T00:00:00+05:30`)).toISOString()} ${value}`,
    );
    expect(days.some((day) => day.steps === null)).toBe(true);
    expect(steps.map(({ at, value }) => `${at} ${value}`).toSorted()).toEqual(known.toSorted());
  });
});

describe('workouts', () => {
  const workout = (n: number, change: Partial<SuuntoWorkout> = {}): SuuntoWorkout => ({
    workoutKey: n.toString(16).padStart(24, '0'),
    activityId: 1,
    startTime: NOW_MS - n * MS_PER_HOUR,
    totalTime: 600,
    ...change,
  });
  const put = (...workouts: SuuntoWorkout[]) => simulator.control.put('ada', { workouts }, { notify: false });
  const asked = async () => (await simulator.control.requests('/v3/workouts')).length;

  it('reads 250 workouts with one request per page', async () => {
    await put(...Array.from({ length: 250 }, (_, n) => workout(n + 1)));
    const { workouts, replaced } = await read('workouts');
    expect(new Set(workouts.map(({ externalId }) => externalId)).size).toBe(250);
    expect(await asked()).toBe(3);
    // The replacements cover the range without gaps, newest first.
    expect(replaced.map(({ startMs, endMs }) => [startMs, endMs])).toMatchObject([
      [expect.any(Number), RANGE.endMs],
      [expect.any(Number), replaced[0]?.startMs],
      [RANGE.startMs, replaced[1]?.startMs],
    ]);
  });

  it('reads more workouts of one instant than a single page contains', async () => {
    await put(...Array.from({ length: 230 }, (_, n) => workout(n + 1, { startTime: NOW_MS - MS_PER_DAY })));
    const { workouts } = await read('workouts');
    expect(new Set(workouts.map(({ externalId }) => externalId)).size).toBe(230);
  });

  it('rejects a page that repeats', async () => {
    await put(...Array.from({ length: 230 }, (_, n) => workout(n + 1, { startTime: NOW_MS - MS_PER_DAY })));
    await simulator.control.addFault({ kind: 'repeated_page', path: '/v3/workouts', times: null });
    await expect(read('workouts')).rejects.toMatchObject({ code: 'invalid_answer', reason: 'repeated_page' });
  });

  it('finds edited workouts by their change time', async () => {
    await put(workout(24 * 50));
    await simulator.control.advanceClock(10 * 86_400);
    const later = { startMs: NOW_MS + 9 * MS_PER_DAY, endMs: NOW_MS + 11 * MS_PER_DAY };
    expect((await read('changed_workouts', later)).workouts).toEqual([]);
    await put(workout(24 * 50, { totalDistance: 5 }));
    expect((await read('changed_workouts', later)).workouts).toMatchObject([{ distanceMeters: 5 }]);
    expect((await read('workouts', later)).workouts).toEqual([]);
  });

  it.each([
    ['a failure in a valid envelope', { error: { code: 'x', description: 'y' }, payload: null }, 'error_in_envelope'],
    ['a payload that is not a list', { error: null, payload: {} }, 'workouts'],
    ['no envelope', [], 'envelope'],
  ])('%s is an error instead of an empty window', async (_, body, reason) => {
    await simulator.control.addFault({ kind: 'error', status: 200, body, path: '/v3/workouts', times: null });
    await expect(read('workouts')).rejects.toMatchObject({ code: 'invalid_answer', reason });
  });

  it('deletes nothing for an envelope without a payload', async () => {
    const body = { error: null, payload: null };
    await simulator.control.addFault({ kind: 'error', status: 200, body, path: '/v3/workouts', times: null });
    expect(await read('workouts')).toMatchObject({ workouts: [], replaced: [] });
    expect(await read('changed_workouts')).toMatchObject({ workouts: [], replaced: [] });
  });

  it('rejects a list request whose envelope contains an error', async () => {
    const body = { error: { code: 'x' }, payload: null };
    await simulator.control.addFault({ kind: 'error', status: 200, body, path: '/v3/workouts', times: null });
    const { api } = await consent(SUUNTO.cloud, simulator, 'ada');
    const list = SUUNTO.cloud.workouts?.list(api, { since: undefined, limit: 1, pageToken: undefined });
    await expect(list).rejects.toMatchObject({ code: 'invalid_answer', reason: 'error_in_envelope' });
  });

  it('returns existing workouts in the vendor’s format', async () => {
    await put(workout(1), workout(2));
    const { api } = await consent(SUUNTO.cloud, simulator, 'ada');
    const { workouts } = SUUNTO.cloud;
    const page = (pageToken?: string) => workouts?.list(api, { since: undefined, limit: 1, pageToken });
    expect(await page()).toMatchObject({ payload: [{ workoutKey: workout(1).workoutKey, workoutId: 0 }] });
    expect(await page('1')).toMatchObject({ payload: [{ workoutKey: workout(2).workoutKey }] });
    expect(await workouts?.get(api, workout(1).workoutKey)).toMatchObject({ payload: { totalTime: 600 } });
    await expect(workouts?.get(api, 'f'.repeat(24))).rejects.toMatchObject({ code: 'not_found' });
  });
});

it.each(['sleep', 'activity', 'recovery', 'daily_statistics'])(
  'rejects a response about %s that is not a list',
  async (dataType) => {
    await simulator.control.addFault({ kind: 'error', status: 200, body: {}, path: '/247', times: null });
    await expect(read(dataType)).rejects.toMatchObject({ code: 'invalid_answer', reason: 'samples' });
  },
);

it.each(['sleep', 'activity', 'recovery', 'daily_statistics'])(
  'deletes no stored data after an empty response about %s',
  async (dataType) => {
    await simulator.control.addFault({ kind: 'error', status: 204, path: '/247', times: null });
    expect(await read(dataType)).toMatchObject({ samples: [], nights: [], scores: [], replaced: [] });
  },
);

it("finds daily statistics at the older applications' URL", async () => {
  await simulator.control.seedHistory('ada', { seed: 7, days: 5 });
  await simulator.control.addFault({ kind: 'error', status: 404, path: '/247samples/daily', times: null });
  const { samples } = await read('daily_statistics');
  expect(new Set(samples.map(({ series }) => series))).toEqual(new Set(['steps', 'energy']));
});

it('plans the requests of a statistics poll of both URLs', async () => {
  await simulator.control.addFault({ kind: 'error', status: 404, path: '/247samples/daily', times: null });
  await read('daily_statistics', { startMs: NOW_MS - 24 * MS_PER_DAY, endMs: NOW_MS });
  const planned = SUUNTO.cloud.pull.dataTypes.find(({ id }) => id === 'daily_statistics')?.requestsPerPoll;
  expect(await simulator.control.requests('/247')).toHaveLength(planned ?? 1);
});

it('timestamps a total without an offset at midnight UTC', async () => {
  const body = [
    {
      Name: 'StepCount',
      Sources: [{ Name: 'Suunto 9', Samples: [{ TimeISO8601: '2026-05-03T00:00:00', Value: '10844' }] }],
    },
  ];
  await simulator.control.addFault({ kind: 'error', status: 200, body, path: '/247', times: null });
  const { api, scopes } = await consent(SUUNTO.cloud, simulator, 'ada');
  const window = { startMs: Date.parse('2026-05-01T00:00:00Z'), endMs: Date.parse('2026-05-10T00:00:00Z') };
  const { batch } = await SUUNTO.cloud.pull.read(api, 'daily_statistics', window, modeOf(SUUNTO.cloud), { scopes });
  const { samples } = batch;
  expect(samples.length).toBe(1);
  expect(samples.typeId[0]).toBe(seriesTypeByCode('steps').id);
  expect(samples.value[0]).toBe(10_844);
  expect(samples.startMs[0]).toBe(Date.parse('2026-05-03T00:00:00Z'));
});

describe('windows', () => {
  const windows = (dataType: string, days: number) =>
    SUUNTO.cloud.pull.windows(dataType, { startMs: NOW_MS - days * MS_PER_DAY, endMs: NOW_MS }, modeOf(SUUNTO.cloud), {
      scopes: new Set(),
    });

  it.each(['workouts', 'changed_workouts', 'sleep', 'recovery', 'activity', 'daily_statistics'])(
    'cover every range of %s without gaps, newest first',
    (dataType) => {
      for (const days of [0.01, 1, 25, 26.5, 90, 400]) {
        const found = windows(dataType, days);
        expect(found[0]?.endMs).toBeGreaterThanOrEqual(NOW_MS);
        expect(found.at(-1)?.startMs).toBeLessThanOrEqual(NOW_MS - days * MS_PER_DAY);
        for (const [at, window] of found.slice(1).entries()) expect(window.endMs).toBe(found[at]?.startMs);
      }
      expect(windows(dataType, 0)).toEqual([]);
    },
  );

  it.each(SUUNTO.cloud.pull.dataTypes)('cover $id in one request after a day without polls', ({ id, latenessMs }) => {
    for (let hour = 0; hour < 24; hour++) {
      const endMs = NOW_MS + hour * MS_PER_HOUR;
      const range = { startMs: endMs - latenessMs - MS_PER_DAY, endMs };
      expect(SUUNTO.cloud.pull.windows(id, range, modeOf(SUUNTO.cloud), { scopes: new Set() })).toHaveLength(1);
    }
  });

  it("never exceed the vendor's 28 days", async () => {
    for (const dataType of ['sleep', 'recovery', 'activity', 'daily_statistics']) {
      await read(dataType, { startMs: NOW_MS - 90 * MS_PER_DAY, endMs: NOW_MS });
    }
    const requests = await simulator.control.requests('/247');
    expect(requests.length).toBeGreaterThan(12);
    expect(requests.filter(({ status }) => status !== 200)).toEqual([]);
  });
});
