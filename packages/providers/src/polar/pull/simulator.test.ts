import { isAnyNear, localDate, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import { type PolarSimulator, startPolarSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consent, modeOf } from '../../testing/consent.js';
import { read as readRange } from '../../testing/read.js';
import { POLAR_OAUTH } from '../oauth.js';
import { POLAR } from '../provider.js';
import { POLAR_WITH_SAMPLES } from '../testing/with-samples.js';

const NOW_MS = Date.now();
const RANGE = { startMs: NOW_MS - 40 * MS_PER_DAY, endMs: NOW_MS };
let simulator: PolarSimulator;
beforeAll(async () => {
  simulator = await startPolarSimulator({ autoConsent: true });
});
afterAll(() => simulator.close());
beforeEach(() => simulator.control.reset());

async function read(dataType: string) {
  const { api, scopes } = await consent(POLAR.cloud, simulator, 'ada');
  return readRange(POLAR.cloud, api, scopes, dataType, RANGE);
}

const inOrder = (readings: { at: string; value: number }[]) =>
  readings.map(({ at, value }) => `${at} ${value}`).toSorted();
const trueOnes = (readings: { atMs: number; value: number }[]) =>
  readings.map(({ atMs, value }) => `${new Date(atMs).toISOString()} ${value}`).toSorted();

// Time zones without daylight saving time, so the expected values are the same all year.
describe.each([
  ['America/Phoenix', -420],
  ['Asia/Kolkata', 330],
  ['Pacific/Kiritimati', 840],
])('four weeks of simulated data in %s', (timeZone, offset) => {
  beforeEach(async () => {
    await simulator.control.addAccount({ id: 'ada', timeZone });
    await simulator.control.setMember('ada', 'registered before');
    await simulator.control.seedHistory('ada', { seed: 7, days: 40 });
  });
  const truth = () => simulator.control.truth('ada');
  const recent = (date: string) => date >= localDate(NOW_MS - 27 * MS_PER_DAY, offset);

  it('reads four weeks of nights with consistent stage sums', async () => {
    const expected = (await truth()).nights.filter(({ date }) => recent(date));
    const { nights, scores, samples, rejections } = await read('sleep');
    expect(rejections.total).toBe(0);
    const sorted = nights.toSorted((a, b) => a.startMs - b.startMs);
    expect(sorted).toMatchObject(
      expected.map(({ date, startMs, endMs, seconds }) => ({
        externalId: date,
        startMs,
        endMs,
        offsetMinutes: offset,
        isNap: false,
        awakeSeconds: seconds.awake,
        asleepSeconds: seconds.asleep,
        lightSeconds: seconds.light,
        deepSeconds: seconds.deep,
        remSeconds: seconds.rem,
        inBedSeconds: (endMs - startMs) / 1_000,
      })),
    );
    for (const night of sorted) {
      const { stages } = night;
      if (!stages) continue;
      const of = (stage: string) =>
        stages.filter((one) => one.stage === stage).reduce((sum, one) => sum + one.endMs - one.startMs, 0) / 1_000;
      expect(stages[0]?.startMs).toBe(night.startMs);
      expect(stages.at(-1)?.endMs).toBe(night.endMs);
      // Hypnogram times are whole minutes, but the night starts within a minute.
      for (const [stage, sum] of [
        ['light', night.lightSeconds],
        ['deep', night.deepSeconds],
        ['rem', night.remSeconds],
      ] as const) {
        if (sum !== undefined) expect(Math.abs(of(stage) - sum), stage).toBeLessThanOrEqual(60);
      }
    }
    const { heartRates: measured } = await truth();
    const times = measured.map(({ atMs }) => atMs).toSorted((a, b) => a - b);
    const isNear = ({ atMs }: { atMs: number }) => isAnyNear(times, atMs, 5 * MS_PER_MINUTE);
    const means = expected.flatMap(({ heartRates }) => heartRates);
    expect(inOrder(samples)).toEqual(trueOnes(means.filter((mean) => !isNear(mean))));
    expect(scores.map(({ externalId, value }) => `${externalId} ${value}`).toSorted()).toEqual(
      expected.map(({ date, score }) => `sleep/${date} ${score}`),
    );
  });

  it('stores daily totals on the vendor’s dates with matching steps', async () => {
    const { days } = await truth();
    const { samples, rejections } = await read('activities');
    expect(rejections.total).toBe(0);
    const of = (series: string) => samples.filter((sample) => sample.series === series);
    for (const [series, value] of [
      ['energy', 'activeKcal'],
      ['basal_energy', 'basalKcal'],
      ['distance_walking_running', 'meters'],
    ] as const) {
      const found = of(series).map((one) => [localDate(Date.parse(one.at), offset), one.value]);
      expect(Object.fromEntries(found), series).toEqual(Object.fromEntries(days.map((day) => [day.date, day[value]])));
    }
    const steps = new Map<string, number>();
    for (const { at, value } of of('steps')) {
      const date = localDate(Date.parse(at), offset);
      steps.set(date, (steps.get(date) ?? 0) + value);
    }
    // Counts each step twice: in the daily total and in the samples.
    expect(Object.fromEntries(steps)).toEqual(Object.fromEntries(days.map(({ date, steps }) => [date, 2 * steps])));
  });

  it('reads continuous heart rates across several windows', async () => {
    const { samples, rejections } = await read('continuous-heart-rate');
    expect(rejections.total).toBe(0);
    expect(inOrder(samples)).toEqual(trueOnes((await truth()).heartRates));
    expect(await simulator.control.requests('/continuous-heart-rate')).toHaveLength(2);
  });

  it('reads recharge scores, five-minute variability and values at waking', async () => {
    const { nights, variability, scores: expected } = await truth();
    const { samples, scores } = await read('nightly-recharge');
    const wakes = new Set(nights.map(({ endMs }) => new Date(endMs).toISOString()));
    const rmssd = samples.filter(({ series }) => series === 'heart_rate_variability_rmssd');
    const since = Math.min(...nights.filter(({ date }) => recent(date)).map(({ startMs }) => startMs));
    expect(inOrder(rmssd.filter(({ at }) => !wakes.has(at)))).toEqual(
      trueOnes(variability.filter(({ atMs }) => atMs >= since)),
    );
    expect(rmssd.filter(({ at }) => wakes.has(at))).toHaveLength(scores.length);
    expect(scores.map((one) => [localDate(one.atMs, one.offsetMinutes ?? 0), one.value])).toEqual(
      expected.filter((one) => one.category === 'recovery' && recent(one.date)).map((one) => [one.date, one.value]),
    );
  });

  it('stores loads on their dates', async () => {
    const expected = (await truth()).scores.filter(({ category }) => category === 'strain');
    const { scores } = await read('cardio-load');
    const found = scores.map((one) => `${localDate(one.atMs, one.offsetMinutes ?? 0)} ${one.value}`);
    expect(found.toSorted()).toEqual(expected.map(({ date, value }) => `${date} ${value}`).toSorted());
  });

  it('reads exercises of the last 30 days at their instants', async () => {
    const expected = (await truth()).exercises.filter(({ startMs }) => startMs > NOW_MS - 29 * MS_PER_DAY);
    const { workouts, rejections } = await read('exercises');
    expect(rejections.total).toBe(0);
    const sorted = workouts.filter(({ startMs }) => startMs > NOW_MS - 29 * MS_PER_DAY);
    expect(sorted.toSorted((a, b) => a.startMs - b.startMs)).toMatchObject(
      expected.map(({ id, startMs, kcal, meters, sport }) => ({
        externalId: id,
        startMs,
        offsetMinutes: offset,
        totalCaloriesKcal: kcal,
        distanceMeters: meters,
        metadata: { vendor_type: sport },
      })),
    );
  });

  it('stores oxygen saturations of passed tests only', async () => {
    const { samples } = await read('spo2');
    const saturations = samples.filter(({ series }) => series === 'oxygen_saturation');
    expect(inOrder(saturations)).toEqual(trueOnes((await truth()).saturations));
  });

  it('ignores forecasts of alertness and bedtime', async () => {
    const { nights } = await truth();
    const alertness = (await read('alertness')).scores;
    expect(alertness.map(({ externalId }) => externalId).toSorted()).toEqual(
      nights.map(({ date }) => `sleepwise-alertness/${date}`),
    );
    const bedtimes = (await read('circadian-bedtime')).scores;
    expect(bedtimes.length).toBeGreaterThan(0);
    expect(bedtimes.length).toBeLessThan(nights.length);
    for (const { value = 0, category } of bedtimes) {
      expect([1, 2, 3]).toContain(value);
      expect(category).toBe('sleep_timing');
    }
  });
});

it('reads the generated figures of nights in all seven forms', async () => {
  const met = new Set<string>();
  for (let n = 0; n < 24; n++) {
    const id = `person-${n}`;
    await simulator.control.addAccount({ id, timeZone: 'America/Phoenix' });
    await simulator.control.setMember(id, `registered before ${n}`);
    await simulator.control.seedHistory(id, { seed: n + 1, days: 8 });
    met.add((await simulator.control.forms(id)).night);
    const expected = (await simulator.control.truth(id)).nights;
    const { api, scopes } = await consent(POLAR.cloud, simulator, id);
    const { nights, rejections } = await readRange(POLAR.cloud, api, scopes, 'sleep', RANGE);
    expect(rejections.total).toBe(0);
    const figures = nights.map((night) => [
      night.externalId,
      [night.asleepSeconds, night.awakeSeconds, night.lightSeconds, night.deepSeconds, night.remSeconds],
    ]);
    expect(Object.fromEntries(figures)).toEqual(
      Object.fromEntries(
        expected.map(({ date, seconds: { asleep, awake, light, deep, rem } }) => [
          date,
          [asleep, awake, light, deep, rem],
        ]),
      ),
    );
  }
  expect(met.size).toBe(7);
});

it('rejects a token response without an account id', async () => {
  await simulator.control.addAccount({ id: 'ada' });
  const { api } = await consent(POLAR.cloud, simulator, 'ada');
  await expect(POLAR_OAUTH.identify(api)).rejects.toMatchObject({ code: 'invalid_answer' });
  const granted = { userId: 'user', members: { x_user_id: '../1' } };
  await expect(POLAR_OAUTH.identify(api, granted)).rejects.toMatchObject({ code: 'invalid_answer' });
  expect(await simulator.control.requests('/v3/users')).toEqual([]);
});

it("covers every date with windows within the vendor's limits", () => {
  const account = { scopes: new Set<string>() };
  const range = { startMs: NOW_MS - 400 * MS_PER_DAY, endMs: NOW_MS };
  for (const { id } of POLAR.cloud.pull.dataTypes) {
    for (const cloud of [POLAR.cloud, POLAR_WITH_SAMPLES]) {
      const windows = cloud.pull?.windows(id, range, modeOf(cloud), account) ?? [];
      for (const [n, { startMs }] of windows.entries()) expect(windows[n + 1]?.endMs ?? startMs, id).toBe(startMs);
      expect(windows[0]?.endMs ?? 0).toBeGreaterThanOrEqual(NOW_MS);
    }
    expect(POLAR.cloud.pull.windows(id, { startMs: 5, endMs: 5 }, modeOf(POLAR.cloud), account), id).toEqual([]);
  }
  const days = POLAR.cloud.pull.windows('activities', range, modeOf(POLAR.cloud), account);
  for (const { startMs, endMs } of days) expect(endMs - startMs).toBeLessThanOrEqual(27 * MS_PER_DAY);
  expect(NOW_MS - (days.at(-1)?.startMs ?? 0)).toBeLessThanOrEqual(365 * MS_PER_DAY);
  const lately = POLAR.cloud.pull.windows(
    'activities',
    { startMs: NOW_MS - MS_PER_HOUR, endMs: NOW_MS },
    modeOf(POLAR.cloud),
    account,
  );
  const held = (date: string) =>
    lately.some(({ startMs, endMs }) => Date.parse(date) >= startMs && Date.parse(date) < endMs);
  for (const offset of [-720, 0, 840]) {
    expect(held(localDate(NOW_MS - MS_PER_HOUR, offset)) && held(localDate(NOW_MS - MS_PER_MINUTE, offset))).toBe(true);
  }
});
