import { fromDayNumber, localDate, localDayNumber, MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import { type OuraDocument, type OuraSimulator, startOuraSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consent, modeOf } from '../../testing/consent.js';
import { read as readRange } from '../../testing/read.js';
import { OURA } from '../provider.js';

const NOW = '2026-05-10T20:00:00Z';
const RANGE = { startMs: Date.parse(NOW) - 45 * MS_PER_DAY, endMs: Date.parse(NOW) };
let simulator: OuraSimulator;
beforeAll(async () => {
  simulator = await startOuraSimulator({ autoConsent: true });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.setClock(NOW);
  await simulator.control.addAccount({ id: 'ada', timeZone: 'America/Los_Angeles' });
});

async function read(dataType: string, range = RANGE, scope?: string) {
  const { api, scopes } = await consent(OURA.cloud, simulator, 'ada', scope);
  return readRange(OURA.cloud, api, scopes, dataType, range);
}

const all = (...names: string[]) => names.map((name) => `extapi:${name}`).join(' ');
const night = (change: Partial<OuraDocument> = {}): OuraDocument => ({
  id: 'night',
  day: '2026-05-09',
  type: 'long_sleep',
  period: 0,
  bedtime_start: '2026-05-08T23:00:00-07:00',
  bedtime_end: '2026-05-09T07:00:00-07:00',
  time_in_bed: 28_800,
  low_battery_alert: false,
  ...change,
});

describe('40 days of simulated data far west of Greenwich', () => {
  beforeEach(() => simulator.control.seedHistory('ada', { seed: 7, days: 40 }));

  it('reads Oura nights and naps as the simulator generated them', async () => {
    const { sleeps } = await simulator.control.truth('ada');
    const { nights, samples, rejections } = await read('sleep');
    expect(rejections.total).toBe(0);
    expect(nights.toSorted((a, b) => a.startMs - b.startMs)).toMatchObject(
      sleeps.map(({ id, startMs, endMs, nap, seconds }) => ({
        externalId: id,
        startMs,
        endMs,
        isNap: nap,
        offsetMinutes: -420,
        deepSeconds: seconds.deep,
        asleepSeconds: seconds.light + seconds.deep + seconds.rem,
        inBedSeconds: seconds.inBed,
      })),
    );
    for (const { startMs, endMs, stages = [] } of nights) {
      expect(stages[0]?.startMs).toBe(startMs);
      expect(stages.at(-1)?.endMs).toBe(endMs);
    }
    const of = (series: string) => samples.filter((sample) => sample.series === series).map(({ value }) => value);
    expect(of('heart_rate_variability_rmssd').toSorted()).toEqual(sleeps.flatMap((one) => one.variability).toSorted());
    const lowest = sleeps.flatMap((one) => (one.nap ? [] : (one.lowestHeartRate ?? [])));
    expect(of('resting_heart_rate').toSorted()).toEqual(lowest.toSorted());
    expect(of('heart_rate')).toEqual([]);
  });

  it("assigns daily values to the vendor's dates, including today", async () => {
    const { days, saturations } = await simulator.control.truth('ada');
    const { samples } = await read('daily_activity');
    const steps = samples.filter(({ series }) => series === 'steps');
    const byDate = new Map(steps.map(({ at, value }) => [localDate(Date.parse(at), -420), value]));
    expect(Object.fromEntries(byDate)).toEqual(Object.fromEntries(days.map(({ date, steps }) => [date, steps])));
    const percents = (await read('daily_spo2')).samples.filter(({ series }) => series === 'oxygen_saturation');
    expect(Object.fromEntries(percents.map(({ at, value }) => [localDate(Date.parse(at), -420), value]))).toEqual(
      Object.fromEntries(saturations.map(({ date, percent }) => [date, percent])),
    );
  });

  it.each([
    ['daily_sleep', 'sleep'],
    ['daily_readiness', 'readiness'],
    ['daily_activity', 'activity'],
    ['daily_stress', 'stress'],
    ['daily_resilience', 'resilience'],
  ])('assigns scores of %s to their dates, with a value or word', async (dataType, category) => {
    const truth = (await simulator.control.truth('ada')).scores.filter((one) => one.category === category);
    const found = new Map(
      (await read(dataType)).scores.map(({ externalId, ...score }) => [externalId, { ...score }] as const),
    );
    const dates = [...found.values()].map(({ atMs, offsetMinutes = 0 }) => localDate(atMs, offsetMinutes)).toSorted();
    expect(dates).toEqual(truth.map(({ date }) => date));
    for (const { date, value, qualifier } of truth) {
      expect(found.get(`${dataType}/${date}`), date).toMatchObject({ value, qualifier, offsetMinutes: -420 });
    }
  });

  it("gives Oura workouts the day's offset instead of the workout's offset", async () => {
    const { workouts } = await simulator.control.truth('ada');
    const found = (await read('workout')).workouts.toSorted((a, b) => a.startMs - b.startMs);
    expect(found).toMatchObject(
      workouts.map(({ id, startMs, endMs, kcal, meters }) => ({
        externalId: id,
        startMs,
        endMs,
        offsetMinutes: -420,
        caloriesKcal: kcal,
        distanceMeters: meters,
      })),
    );
  });

  it('reads heart rates of days and nights across windows and pages', async () => {
    const { heartRates } = await simulator.control.truth('ada');
    const { samples } = await read('heartrate');
    const inRange = heartRates.filter(({ atMs }) => atMs >= RANGE.startMs && atMs < RANGE.endMs);
    expect(samples.map(({ at, value }) => `${Date.parse(at)} ${value}`).toSorted()).toEqual(
      inRange.map(({ atMs, bpm }) => `${atMs} ${bpm}`).toSorted(),
    );
    expect((await simulator.control.requests('/heartrate')).length).toBeGreaterThan(4);
  });

  it('reads nightly heart rates without consent for daily heart rates', async () => {
    const { samples } = await read('sleep', RANGE, all('daily', 'personal'));
    expect(samples.filter(({ series }) => series === 'heart_rate').length).toBeGreaterThan(1_000);
  });

  it.each(
    (['prefixed', 'bare'] as const).flatMap((scopes) =>
      ([401, 403] as const).map((missingScope) => ({ scopes, missingScope })),
    ),
  )('recognizes granted scopes ($scopes names) and missing scopes (status $missingScope)', async (forms) => {
    await simulator.control.setForms(forms);
    const { scopes } = await consent(OURA.cloud, simulator, 'ada', 'daily extapi:heartrate a_scope_of_tomorrow');
    expect([...scopes].toSorted()).toEqual(['daily', 'heartrate']);
    await expect(read('workout', RANGE, 'daily heartrate')).rejects.toMatchObject({ code: 'scope_missing' });
    expect((await read('sleep', RANGE, 'daily heartrate')).rejections.total).toBe(0);
  });

  it('reports missing consent as a missing scope, even for a 401', async () => {
    await expect(read('workout', RANGE, all('daily'))).rejects.toMatchObject({ code: 'scope_missing' });
    await simulator.control.addFault({ kind: 'error', status: 401, path: '/workout', times: null });
    await expect(read('workout')).rejects.toMatchObject({ code: 'scope_missing' });
  });

  it('rejects a page that links to itself', async () => {
    await simulator.control.addFault({ kind: 'repeated_page', path: '/daily_sleep', times: null });
    await expect(read('daily_sleep')).rejects.toMatchObject({ code: 'invalid_answer', reason: 'repeated_page_token' });
  });
});

describe('single nights', () => {
  it.each(['rest', 'deleted'])('removes an Oura night that became %s', async (type) => {
    await simulator.control.put('ada', { sleep: [night({ type })] });
    const { nights, replaced, rejections } = await read('sleep');
    expect(nights).toEqual([]);
    expect(rejections.total).toBe(0);
    expect(replaced.some((one) => one.of === 'sleep_sessions')).toBe(true);
  });

  it('skips an Oura night that has not ended', async () => {
    await simulator.control.put('ada', { sleep: [night({ bedtime_end: null })] });
    const { nights, rejections } = await read('sleep');
    expect([nights, rejections.total]).toEqual([[], 0]);
  });

  it('stores an Oura night without sums if only its times are known', async () => {
    await simulator.control.put('ada', { sleep: [night({ type: null, time_in_bed: 0, hrv: null, efficiency: null })] });
    const { nights, samples } = await read('sleep');
    expect(nights).toMatchObject([{ asleepSeconds: undefined, inBedSeconds: 28_800, isNap: false }]);
    expect(nights[0]?.stages).toBeUndefined();
    expect(samples).toEqual([]);
  });

  it('replaces a missing total with the sum of the stages', async () => {
    const durations = { deep_sleep_duration: 3_600, light_sleep_duration: 7_200, rem_sleep_duration: 1_800 };
    const nap = { type: 'late_nap', lowest_heart_rate: 49, average_breath: 13.5 };
    await simulator.control.put('ada', { sleep: [night({ ...durations, ...nap, total_sleep_duration: null })] });
    const { nights, samples } = await read('sleep');
    expect(nights).toMatchObject([{ asleepSeconds: 12_600, isNap: true }]);
    expect(samples.map(({ series }) => series)).toEqual(['respiratory_rate']);
  });

  it('takes a missing stage of an Oura night from the stage string', async () => {
    const end = '2026-05-08T23:30:00-07:00';
    const sums = { deep_sleep_duration: 290, rem_sleep_duration: null, light_sleep_duration: null, awake_time: null };
    const phases = { bedtime_end: end, sleep_phase_5_min: '422133', total_sleep_duration: null };
    await simulator.control.put('ada', { sleep: [night({ ...sums, ...phases })] });
    expect((await read('sleep')).nights).toMatchObject([
      { deepSeconds: 290, lightSeconds: 600, remSeconds: 600, awakeSeconds: 300, asleepSeconds: 1490 },
    ]);
  });

  it('leaves time asleep unknown if an Oura night lacks one stage', async () => {
    await simulator.control.put('ada', {
      sleep: [night({ deep_sleep_duration: 3_600, rem_sleep_duration: 1_800, light_sleep_duration: null })],
    });
    expect((await read('sleep')).nights).toMatchObject([
      { deepSeconds: 3_600, lightSeconds: undefined, remSeconds: 1_800, asleepSeconds: undefined },
    ]);
  });

  it("falls back to five-minute stages, clipped at the night's end", async () => {
    const end = '2026-05-08T23:12:00-07:00';
    await simulator.control.put('ada', { sleep: [night({ bedtime_end: end, sleep_phase_5_min: '42213' })] });
    const [{ startMs = 0, stages = [] } = {}] = (await read('sleep')).nights;
    expect(stages.map((one) => [one.stage, (one.endMs - startMs) / MS_PER_MINUTE])).toEqual([
      ['awake', 5],
      ['light', 12],
    ]);
  });

  it('rejects only bad Oura nights, with member and reason', async () => {
    const turned = night({ id: 'turned', bedtime_end: '2026-05-08T22:00:00-07:00' });
    await simulator.control.put('ada', { sleep: [night(), turned] });
    const { nights, rejections } = await read('sleep');
    expect(nights.map(({ externalId }) => externalId)).toEqual(['night']);
    expect(rejections.first).toMatchObject([{ collection: 'sleep', field: 'bedtime_end', code: 'end_before_start' }]);
  });
});

it('timestamps a day with unknown local time at midnight UTC', async () => {
  await simulator.control.put('ada', {
    daily_spo2: [{ id: 'x', day: '2026-05-09', spo2_percentage: { average: 97 } }],
  });
  const { samples } = await read('daily_spo2');
  expect(samples).toEqual([{ series: 'oxygen_saturation', at: '2026-05-09T00:00:00.000Z', value: 97 }]);
});

it('covers every date of a range in any time zone without gaps', () => {
  const account = { scopes: new Set<string>() };
  for (const { id } of OURA.cloud.pull.dataTypes) {
    const windows = OURA.cloud.pull.windows(id, RANGE, modeOf(OURA.cloud), account);
    for (const [n, { startMs }] of windows.entries()) expect(windows[n + 1]?.endMs ?? startMs, id).toBe(startMs);
    expect(OURA.cloud.pull.windows(id, { startMs: 5, endMs: 5 }, modeOf(OURA.cloud), account), id).toEqual([]);
  }
  const days = OURA.cloud.pull.windows('daily_sleep', RANGE, modeOf(OURA.cloud), account);
  const held = (ms: number) => days.some(({ startMs, endMs }) => ms >= startMs && ms < endMs);
  for (const offset of [-720, 0, 840]) {
    for (const instant of [RANGE.startMs, RANGE.endMs - 1]) {
      expect(held(Date.parse(fromDayNumber(localDayNumber(instant, offset))))).toBe(true);
    }
  }
});
