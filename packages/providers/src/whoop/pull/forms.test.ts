import { MS_PER_DAY, SECONDS_PER_MINUTE } from '@healthd/model';
import { startWhoopSimulator, type WhoopSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Tally } from '../../cloud/index.js';
import { consent } from '../../testing/consent.js';
import { silentMembers, unreadableVersions } from '../../testing/odd-versions.js';
import { read as readRange } from '../../testing/read.js';
import { WHOOP } from '../provider.js';
import { bodySamples } from './body.js';

const NOW = '2026-05-10T20:00:00Z';
const RANGE = { startMs: Date.parse(NOW) - 20 * MS_PER_DAY, endMs: Date.parse(NOW) };
let simulator: WhoopSimulator;
beforeAll(async () => {
  simulator = await startWhoopSimulator({ autoConsent: true, limits: { perMinute: 100_000 } });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.setClock(NOW);
  await simulator.control.addAccount({ id: 'ada', timeZone: 'America/Los_Angeles' });
});

async function read(dataType: string, account = 'ada', range = RANGE) {
  const { api, scopes } = await consent(WHOOP.cloud, simulator, account);
  return readRange(WHOOP.cloud, api, scopes, dataType, range);
}

const NIGHT = { id: 'night', cycle_id: 1, start: '2026-05-09T22:00:00Z', end: '2026-05-10T06:00:00Z' };
const SUMS = {
  total_in_bed_time_milli: 28_800_000,
  total_awake_time_milli: 1_800_000,
  total_light_sleep_time_milli: 14_400_000,
  total_slow_wave_sleep_time_milli: 5_400_000,
  total_rem_sleep_time_milli: 7_200_000,
};
const scored = (change: object) => ({ stage_summary: { ...SUMS, ...change }, sleep_needed: {} });

describe('a night', () => {
  it.each<[string, object, object]>([
    ['with all sums', {}, { inBedSeconds: 28_800, asleepSeconds: 27_000, awakeSeconds: 1_800 }],
    [
      'with a time in bed beyond its ends',
      { total_in_bed_time_milli: 30_000_000 },
      { inBedSeconds: 30_000, asleepSeconds: 27_000 },
    ],
    [
      'without a time in bed and the sum of a stage',
      { total_in_bed_time_milli: null, total_rem_sleep_time_milli: null },
      { inBedSeconds: 28_800, asleepSeconds: undefined },
    ],
    [
      'without the sum of a stage',
      { total_rem_sleep_time_milli: null },
      { asleepSeconds: undefined, remSeconds: undefined, lightSeconds: 14_400 },
    ],
  ])('%s has the expected figures', async (_, change, expected) => {
    await simulator.control.put('ada', { sleeps: [{ ...NIGHT, score: scored(change) }] });
    expect((await read('sleep')).nights).toMatchObject([expected]);
  });

  it('keeps the respiratory rate of a night ending at the range start', async () => {
    const score = { ...scored({}), respiratory_rate: 14.5 };
    await simulator.control.put('ada', { sleeps: [{ ...NIGHT, score }] });
    const range = { ...RANGE, startMs: Date.parse(NIGHT.end) };
    const { samples } = await read('sleep', 'ada', range);
    expect(samples).toMatchObject([{ series: 'respiratory_rate', value: 14.5 }]);
  });
});

describe('a recovery', () => {
  const score = { user_calibrating: false, recovery_score: 71, resting_heart_rate: 52, hrv_rmssd_milli: 63.4 };
  const recovery = (sleepId: string | null) => ({
    records: [{ cycle_id: 1, sleep_id: sleepId, created_at: '2026-05-10T07:00:00Z', score_state: 'SCORED', score }],
    // Like null, an empty token ends the list.
    next_token: '',
  });

  it.each<[string, string | null, string, string]>([
    ['of a sleep', 'night', 'recovery/night', '2026-05-10T06:00:00.000Z'],
    ['of a cycle alone', null, 'recovery/night', '2026-05-10T06:00:00.000Z'],
  ])("%s has the time of the longest night's end", async (_, sleepId, externalId, at) => {
    const nap = { ...NIGHT, id: 'nap', nap: true, start: '2026-05-10T07:00:00Z', end: '2026-05-10T17:00:00Z' };
    const shortNight = { ...NIGHT, id: 'short', start: '2026-05-10T06:30:00Z', end: '2026-05-10T06:50:00Z' };
    const sleeps = [shortNight, NIGHT, nap].map((sleep) => ({ ...sleep, score: scored({}) }));
    await simulator.control.put('ada', { sleeps });
    await simulator.control.addFault({
      kind: 'error',
      status: 200,
      body: recovery(sleepId),
      path: '/v2/recovery',
      times: null,
    });
    const { samples, scores } = await read('recovery');
    expect(scores).toMatchObject([{ externalId, value: 71 }]);
    expect(samples.map((sample) => [sample.series, sample.at, sample.value])).toContainEqual([
      'resting_heart_rate',
      at,
      52,
    ]);
  });

  it('belongs to the range that starts when its sleep ends', async () => {
    await simulator.control.put('ada', { sleeps: [{ ...NIGHT, score: scored({}) }] });
    const body = recovery('night');
    await simulator.control.addFault({ kind: 'error', status: 200, body, path: '/v2/recovery', times: null });
    const wakingMs = Date.parse(NIGHT.end);
    const after = await read('recovery', 'ada', { ...RANGE, startMs: wakingMs });
    const before = await read('recovery', 'ada', { ...RANGE, endMs: wakingMs });
    expect([after, before].map(({ scores }) => scores.length)).toEqual([1, 0]);
  });
});

it('timestamps a cycle without a night at its middle in local time', async () => {
  const cycle = {
    id: 7,
    start: '2026-05-08T14:00:00Z',
    end: '2026-05-09T14:00:00Z',
    timezone_offset: '-07:00',
    score_state: 'SCORED',
    score: { strain: 12.3, kilojoule: 8_000, average_heart_rate: 70, max_heart_rate: 150 },
  };
  const body = { records: [cycle], next_token: null };
  await simulator.control.addFault({ kind: 'error', status: 200, body, path: '/v2/cycle', times: null });
  const { scores } = await read('cycle');
  expect(scores).toMatchObject([
    { category: 'strain', value: 12.3, atMs: Date.parse('2026-05-09T02:00:00Z'), offsetMinutes: -420 },
  ]);
});

it('reads the generated figures from every format', async () => {
  const met = new Set<string>();
  for (let n = 0; n < 12; n++) {
    const id = `person-${n}`;
    await simulator.control.addAccount({ id, timeZone: 'America/Phoenix' });
    await simulator.control.seedHistory(id, { seed: n + 1, days: 10 });
    for (const [name, form] of Object.entries(await simulator.control.forms(id))) met.add(`${name} ${form}`);
    const { sleeps, recoveries } = await simulator.control.truth(id);
    const { nights, rejections } = await read('sleep', id);
    expect(rejections.total).toBe(0);
    const figures = nights.map((night) => [
      night.externalId,
      [night.inBedSeconds, night.remSeconds, night.asleepSeconds],
    ]);
    const expected = sleeps.map(({ id: sleepId, minutes }) => {
      const { inBed, light, deep, rem } = minutes ?? { light: undefined, deep: undefined };
      const asleep = light === undefined || deep === undefined || rem === undefined ? undefined : light + deep + rem;
      const seconds = (of: number | undefined) =>
        of === undefined ? undefined : expect.closeTo(of * SECONDS_PER_MINUTE, 6);
      return [sleepId, [seconds(inBed), seconds(rem), seconds(asleep)]];
    });
    expect(Object.fromEntries(figures)).toEqual(Object.fromEntries(expected));
    const { scores } = await read('recovery', id);
    const found = scores.filter(({ value }) => value !== undefined);
    expect(found.toReversed()).toMatchObject(
      recoveries.map(({ sleepId, atMs, score }) => ({ externalId: `recovery/${sleepId}`, atMs, value: score })),
    );
  }
  expect(met.size).toBe(6);
});

it.each([
  ['sleep', '/v2/activity/sleep'],
  ['recovery', '/v2/recovery'],
  ['workout', '/v2/activity/workout'],
  ['cycle', '/v2/cycle'],
])('counts an unreadable value of %s', async (dataType, path) => {
  await simulator.control.seedHistory('ada', { seed: 7, days: 6 });
  const { api, scopes } = await consent(WHOOP.cloud, simulator, 'ada');
  const window = { start: new Date(RANGE.startMs).toISOString(), end: NOW, limit: 25 };
  const { records } = (await api.call({ path, query: window })) as { records: { score_state: string; end?: string }[] };
  const item = records.find((one) => one.score_state === 'SCORED' && (dataType !== 'cycle' || one.end));
  const readAs = async (record: unknown) => {
    await simulator.control.clearFaults();
    const body = { records: [record], next_token: null };
    await simulator.control.addFault({ kind: 'error', status: 200, body, path, times: null });
    const { samples, nights, workouts, scores, rejections } = await readRange(
      WHOOP.cloud,
      api,
      scopes,
      dataType,
      RANGE,
    );
    return { stored: JSON.stringify([samples, nights, workouts, scores]), rejected: rejections.total };
  };
  const good = await readAs(item);
  expect(good.rejected).toBe(0);
  const silent = [];
  for (const { member, version } of unreadableVersions(item, ['id', 'sleep_id', 'sport_name'])) {
    const { stored, rejected } = await readAs(version);
    if (stored !== good.stored && rejected === 0) silent.push(member);
  }
  expect([...new Set(silent)]).toEqual([]);
});

it('counts each unreadable field of a body measurement', () => {
  const silent = silentMembers({ height_meter: 1.79, weight_kilogram: 74.2 }, [], (response) => {
    const tally = new Tally('body');
    return { stored: bodySamples(response, 0, tally), rejected: tally.rejections.total };
  });
  expect(silent).toEqual([]);
});
