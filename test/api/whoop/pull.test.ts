import { MS_PER_DAY } from '@healthd/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeRecords } from '../../support/recorded-user.js';
import { sample } from '../../support/records.js';
import { openWhoopFixture, type WhoopFixture } from './whoop-fixture.js';

let fixture: WhoopFixture;
beforeEach(async () => {
  fixture = await openWhoopFixture({ historicalSyncOnConnect: true });
  await fixture.control.addAccount({ id: 'ada', timeZone: 'America/Los_Angeles' });
});
afterEach(() => fixture.close());

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

async function connectedWithHistory() {
  await fixture.control.seedHistory('ada', { seed: 4, days: 40 });
  const ada = await fixture.connect('ada');
  await fixture.reading.settle();
  return ada;
}

describe('a user with 40 days at WHOOP', () => {
  it("has the simulator's nights, naps, workouts, recoveries and daily strains", async () => {
    const ada = await connectedWithHistory();
    const truth = await fixture.control.truth('ada');
    const wide = `start_date=${dayOf(Date.now() - 60 * MS_PER_DAY)}&end_date=${dayOf(Date.now() + 2 * MS_PER_DAY)}`;
    const get = async (path: string) => (await fixture.call('GET', `/api/v1/users/${ada.userId}${path}`)).body.data;

    const sessions = await get(`/events/sleep?${wide}&limit=100`);
    expect(sessions).toHaveLength(truth.sleeps.length);
    expect(sessions.filter((one: { is_nap: boolean }) => one.is_nap)).toHaveLength(
      truth.sleeps.filter(({ nap }) => nap).length,
    );
    expect(await get(`/events/workouts?${wide}&limit=100`)).toHaveLength(truth.workouts.length);

    const recoveries = await get(`/summaries/recovery?${wide}&limit=100`);
    expect(recoveries.map((row: Record<string, unknown>) => row.recovery_score)).toEqual(
      truth.recoveries.map(({ score }) => score),
    );
    expect(recoveries.map((row: Record<string, unknown>) => row.resting_heart_rate_bpm)).toEqual(
      truth.recoveries.map(({ restingHeartRate }) => restingHeartRate),
    );
    expect(recoveries.map((row: Record<string, unknown>) => row.avg_hrv_rmssd_ms)).toEqual(
      truth.recoveries.map(({ rmssdMilliseconds }) => Math.round(rmssdMilliseconds * 10) / 10),
    );
    expect(new Set(recoveries.map((row: Record<string, unknown>) => row.avg_hrv_sdnn_ms))).toEqual(new Set([null]));

    const strains = await get(`/health-scores?${wide}&category=strain&limit=1000`);
    const ofDays = strains.filter(
      (one: { components: { period: { qualifier: string } } }) => one.components.period.qualifier === 'day',
    );
    expect(ofDays.map(({ value }: { value: number }) => value)).toEqual(
      truth.cycles.map(({ strain }) => strain).toReversed(),
    );
    expect(ofDays[0]).toMatchObject({ provider: 'whoop', category: 'strain' });
  });

  it('stores no duplicates when days are read twice', async () => {
    const ada = await connectedWithHistory();
    const before = await fixture.everything(ada.userKey);
    const run = await fixture.pull(ada);
    expect(run).toMatchObject({ status: 'success' });
    for (const report of Object.values(run?.metadata.data_types as Record<string, object>)) {
      expect(report).toMatchObject({ inserted: 0, updated: 0, deleted: 0 });
    }
    expect(await fixture.everything(ada.userKey)).toEqual(before);
  });

  it('reads several pages of sleep after the first consent', async () => {
    await connectedWithHistory();
    const pages = await fixture.control.requests('/v2/activity/sleep');
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.every(({ status }) => status === 200)).toBe(true);
  });
});

describe('changes at WHOOP', () => {
  const hours = (n: number) => new Date(Date.now() - n * 3_600_000).toISOString();
  const night = { id: '11111111-1111-4111-8111-111111111111', cycle_id: 1, start: hours(30), end: hours(22) };
  const score = { user_calibrating: false, recovery_score: 71, resting_heart_rate: 52, hrv_rmssd_milli: 63.4 };
  const recovery = { sleep_id: night.id, cycle_id: 1, score };

  it('keeps one row for a recovery score through all changes', async () => {
    await fixture.control.put('ada', {
      sleeps: [night],
      recoveries: [{ ...recovery, score_state: 'PENDING_SCORE', score: null }],
    });
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    const recoveryScore = async () =>
      (await fixture.scores(ada.userKey)).filter(({ id }) => id.startsWith('recovery/'));
    expect(await recoveryScore()).toMatchObject([{ value: null }]);
    await fixture.control.put('ada', { recoveries: [{ ...recovery, score_state: 'SCORED' }] });
    await fixture.pull(ada);
    expect(await recoveryScore()).toMatchObject([{ value: 71 }]);
    await fixture.control.put('ada', { recoveries: [{ ...recovery, score: { ...score, recovery_score: 64 } }] });
    await fixture.pull(ada);
    expect(await recoveryScore()).toMatchObject([{ value: 64 }]);
    await fixture.control.put('ada', { recoveries: [{ ...recovery, score_state: 'UNSCORABLE', score: null }] });
    await fixture.pull(ada);
    expect(await recoveryScore()).toMatchObject([{ value: null }]);
    expect(await fixture.samples(ada.userKey, 'resting_heart_rate')).toEqual([]);
  });

  it('moves the resting heart rate of an edited night', async () => {
    await fixture.control.put('ada', { sleeps: [night], recoveries: [recovery] });
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    const [before] = await fixture.nights(ada.userKey);
    await fixture.control.put('ada', { sleeps: [{ ...night, end: hours(21) }] });
    await fixture.pull(ada);
    const [after, ...more] = await fixture.nights(ada.userKey);
    expect(more).toEqual([]);
    expect(after).toMatchObject({ id: before.id, external_id: night.id });
    expect(await fixture.samples(ada.userKey, 'resting_heart_rate')).toMatchObject([
      { atMs: after.end_at.getTime(), value: 52 },
    ]);
  });

  it('stores an undated weight only after a change', async () => {
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    await fixture.pull(ada);
    expect(await fixture.samples(ada.userKey, 'weight')).toMatchObject([{ value: 74.2 }]);
    await fixture.control.setBody('ada', { height_meter: 1.79, weight_kilogram: 73.1, max_heart_rate: 191 });
    await fixture.pull(ada);
    expect((await fixture.samples(ada.userKey, 'weight')).map(({ value }) => value)).toEqual([74.2, 73.1]);
    expect((await fixture.samples(ada.userKey, 'height')).map(({ value }) => value)).toEqual([179]);
  });

  it('does not count a profile weight as a measurement', async () => {
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    const weight = async () =>
      (await fixture.call('GET', `/api/v1/users/${ada.userId}/summaries/body`)).body.slow_changing.weight_kg;
    const lastData = async () =>
      (await fixture.call('GET', `/api/v1/users/${ada.userId}/diagnosis`)).body.providers.map(
        (one: { provider: string; last_data_at: string | null }) => [one.provider, one.last_data_at],
      );
    expect(await weight()).toBe(74.2);
    expect(await lastData()).toEqual([['whoop', null]]);
    const scale = { provider: 'apple', writer: 'Example Scale', deviceType: 'scale' } as const;
    await writeRecords(fixture, ada.userKey, [sample('weight', hours(24 * 14), 71.6, { source: scale })]);
    await fixture.control.setBody('ada', { height_meter: 1.79, weight_kilogram: 76, max_heart_rate: 191 });
    await fixture.pull(ada);
    expect((await fixture.samples(ada.userKey, 'weight')).map(({ value }) => value)).toEqual([71.6, 74.2, 76]);
    expect(await weight()).toBe(71.6);
  });
});
