import { MS_PER_DAY, SECONDS_PER_MINUTE } from '@healthd/model';
import { startWhoopSimulator, type WhoopSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consent } from '../../testing/consent.js';
import { read as readRange } from '../../testing/read.js';
import { WHOOP_OAUTH } from '../oauth.js';
import { WHOOP } from '../provider.js';

const NOW = '2026-05-10T20:00:00Z';
const RANGE = { startMs: Date.parse(NOW) - 45 * MS_PER_DAY, endMs: Date.parse(NOW) };
let simulator: WhoopSimulator;
beforeAll(async () => {
  simulator = await startWhoopSimulator({ autoConsent: true, limits: { perMinute: 10_000 } });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.setClock(NOW);
  await simulator.control.addAccount({ id: 'ada', timeZone: 'America/Los_Angeles' });
});

async function read(dataType: string, scope?: string, range = RANGE) {
  const { api, scopes } = await consent(WHOOP.cloud, simulator, 'ada', scope);
  return readRange(WHOOP.cloud, api, scopes, dataType, range);
}

const iso = (ms: number) => new Date(ms).toISOString();

describe('40 days of simulated data', () => {
  beforeEach(async () => {
    await simulator.control.seedHistory('ada', { seed: 7, days: 40 });
  });

  it('reads WHOOP nights and naps as the simulator generated them', async () => {
    const { sleeps } = await simulator.control.truth('ada');
    const { nights, samples, scores, rejections } = await read('sleep');
    expect(rejections.total).toBe(0);
    expect(nights.toSorted((a, b) => a.startMs - b.startMs)).toMatchObject(
      sleeps.map(({ id, startMs, endMs, offsetMinutes, nap, minutes }) => ({
        externalId: id,
        startMs,
        endMs,
        offsetMinutes,
        isNap: nap,
        deepSeconds: minutes && minutes.deep * SECONDS_PER_MINUTE,
        inBedSeconds: minutes && minutes.inBed * SECONDS_PER_MINUTE,
        asleepSeconds:
          minutes?.rem === undefined
            ? undefined
            : expect.closeTo((minutes.light + minutes.deep + minutes.rem) * SECONDS_PER_MINUTE, 6),
      })),
    );
    const rates = sleeps.filter(({ respiratoryRate }) => respiratoryRate !== undefined);
    expect(samples).toHaveLength(rates.length);
    expect(sleeps.filter(({ nap, performance }) => nap && performance !== undefined).length).toBeGreaterThan(0);
    expect(
      scores.map(({ externalId, value, components }) => [externalId, value, components?.period?.qualifier]),
    ).toEqual(
      sleeps.map(({ id, performance, nap }) => [`sleep/${id}`, performance, nap ? 'nap' : undefined]).toReversed(),
    );
  });

  it('timestamps recoveries at the end of their sleep', async () => {
    const { recoveries } = await simulator.control.truth('ada');
    const { samples, scores } = await read('recovery');
    const of = (series: string) => samples.filter((sample) => sample.series === series);
    const expected = (value: (one: (typeof recoveries)[number]) => number | undefined) =>
      recoveries.flatMap((one) => (value(one) === undefined ? [] : [{ at: iso(one.atMs), value: value(one) }]));
    expect(of('resting_heart_rate').toReversed()).toMatchObject(expected((one) => one.restingHeartRate));
    expect(of('heart_rate_variability_rmssd').toReversed()).toMatchObject(expected((one) => one.rmssdMilliseconds));
    expect(of('oxygen_saturation').toReversed()).toMatchObject(expected((one) => one.saturationPercent));
    expect(of('skin_temperature').toReversed()).toMatchObject(expected((one) => one.skinCelsius));
    const scored = scores.filter(({ value }) => value !== undefined);
    expect(scored.toReversed()).toMatchObject(recoveries.map(({ score, atMs }) => ({ value: score, atMs })));
  });

  it('stores energy and strain of workouts', async () => {
    const { workouts } = await simulator.control.truth('ada');
    const found = await read('workout');
    expect(found.workouts.toReversed()).toMatchObject(
      workouts.map(({ id, kilojoule, distanceMeters, averageHeartRate }) => ({
        externalId: id,
        totalCaloriesKcal: kilojoule === undefined ? undefined : expect.closeTo(kilojoule * 0.239006, 1),
        distanceMeters,
        heartRateAvg: averageHeartRate,
      })),
    );
    expect(found.scores.toReversed().map(({ value }) => value)).toEqual(workouts.map(({ strain }) => strain));
  });

  it('stores strain of finished days only, timestamped at waking', async () => {
    const { cycles, recoveries } = await simulator.control.truth('ada');
    const { scores } = await read('cycle');
    expect(scores.toReversed()).toMatchObject(
      cycles.map(({ id, strain, kilojoule }, day) => ({
        externalId: `cycle/${id}`,
        value: strain,
        atMs: recoveries[day]?.atMs,
        components: { kilojoule: { value: kilojoule }, period: { qualifier: 'day' } },
      })),
    );
  });

  it('timestamps recoveries at their creation if sleep consent is missing', async () => {
    const { samples } = await read('recovery', 'offline read:profile read:recovery');
    const { recoveries } = await simulator.control.truth('ada');
    const rates = samples.filter(({ series }) => series === 'resting_heart_rate').map(({ at }) => Date.parse(at));
    expect(rates).toHaveLength(recoveries.length);
    // The vendor creates a recovery after the sleep's end.
    for (const [index, atMs] of rates.toReversed().entries()) expect(atMs).toBeGreaterThan(recoveries[index]!.atMs);
  });

  it('reports missing consent as a missing scope, not an invalid token', async () => {
    await expect(read('cycle', 'offline read:profile read:sleep')).rejects.toMatchObject({ code: 'scope_missing' });
    await simulator.control.expireAccessTokens();
    const { api } = await consent(WHOOP.cloud, simulator, 'ada', 'offline read:sleep');
    await expect(WHOOP_OAUTH.identify(api)).rejects.toMatchObject({ code: 'scope_missing' });
  });
});

describe('unscored records', () => {
  const sleep = { id: 'night', cycle_id: 1, start: '2026-05-09T22:00:00Z', end: '2026-05-10T06:00:00Z' };
  const stale = { stage_summary: { total_in_bed_time_milli: 0 }, sleep_needed: {}, respiratory_rate: 0 };

  it.each([
    ['PENDING_SCORE', 'PENDING_SCORE'],
    ['UNSCORABLE', 'UNSCORABLE'],
    ['A_STATE_OF_TOMORROW', 'PENDING_SCORE'],
  ])('stores no figures of a WHOOP night in the state %s', async (given, shown) => {
    const state = given as 'PENDING_SCORE';
    await simulator.control.put('ada', { sleeps: [{ ...sleep, score_state: state, score: stale }] });
    const { nights, samples, scores } = await read('sleep');
    expect(nights).toMatchObject([{ asleepSeconds: undefined, inBedSeconds: undefined, efficiencyPercent: undefined }]);
    expect(samples).toEqual([]);
    expect(scores).toMatchObject([{ value: undefined, components: { score_state: { qualifier: shown } } }]);
  });

  it('marks a recovery while the band is calibrating', async () => {
    const score = { user_calibrating: true, recovery_score: 50, resting_heart_rate: 60, hrv_rmssd_milli: 40 };
    await simulator.control.put('ada', { sleeps: [sleep], recoveries: [{ sleep_id: 'night', cycle_id: 1, score }] });
    const { scores } = await read('recovery');
    expect(scores).toMatchObject([{ value: 50, components: { user_calibrating: { qualifier: 'true' } } }]);
  });
});

describe('bad records', () => {
  it('rejects only bad WHOOP records, with member and reason', async () => {
    await simulator.control.put('ada', {
      sleeps: [
        { id: 'good', cycle_id: 1, start: '2026-05-08T22:00:00Z', end: '2026-05-09T06:00:00Z' },
        { id: 'turned', cycle_id: 2, start: '2026-05-09T06:00:00Z', end: '2026-05-09T05:00:00Z' },
      ],
    });
    const { nights, rejections } = await read('sleep');
    expect(nights.map(({ externalId }) => externalId)).toEqual(['good']);
    expect(rejections.first).toMatchObject([{ collection: 'sleep', field: 'end', code: 'end_before_start' }]);
  });

  it('rejects a page that links to itself', async () => {
    await simulator.control.seedHistory('ada', { days: 40 });
    await simulator.control.addFault({ kind: 'repeated_page', path: '/v2/activity/workout', times: null });
    await expect(read('workout')).rejects.toMatchObject({ code: 'invalid_answer', reason: 'repeated_page_token' });
  });
});

it('keeps two cycles of one date', async () => {
  const cycles = [
    { id: 1, start: '2026-05-08T22:00:00Z', end: '2026-05-09T15:00:00Z' },
    { id: 2, start: '2026-05-09T15:00:00Z', end: '2026-05-09T23:00:00Z' },
  ].map((cycle, n) => ({
    ...cycle,
    score: { strain: 5 + n, kilojoule: 5_000, average_heart_rate: 60, max_heart_rate: 120 },
  }));
  await simulator.control.put('ada', {
    cycles,
    sleeps: [
      { id: 'night', cycle_id: 1, start: '2026-05-08T22:00:00Z', end: '2026-05-09T06:00:00Z' },
      { id: 'nap', cycle_id: 1, start: '2026-05-09T12:00:00Z', end: '2026-05-09T13:00:00Z', nap: true },
    ],
  });
  const { scores } = await read('cycle');
  expect(scores.map(({ externalId, atMs }) => [externalId, iso(atMs)])).toEqual([
    ['cycle/2', '2026-05-09T19:00:00.000Z'],
    ['cycle/1', '2026-05-09T06:00:00.000Z'],
  ]);
});
