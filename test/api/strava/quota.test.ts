import { MS_PER_MINUTE } from '@healthd/model';
import { providerById } from '@healthd/providers';
import { type StravaActivity, startStravaSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { openVendorFixture } from '../../support/vendor-fixture.js';

/** Number of reads that suffices for one window of history, but not for two. */
const READS = 14;

/** Returns Strava's quotas with an effectively unlimited rate per minute. */
function quotas() {
  const { quotas: known } = providerById('strava')?.cloud ?? {};
  if (!known) throw new Error('strava has no quotas');
  return { ...known, perUserAndMinute: 1_000, perApplicationAndMinute: 10_000 };
}

it('spreads history over several quarter-hour quotas', async () => {
  const simulator = await startStravaSimulator({ autoConsent: true, limits: { readsPerQuarter: READS } });
  const fixture = await openVendorFixture('strava', simulator, {
    historicalSyncOnConnect: true,
    quotas: quotas(),
  });
  try {
    await fixture.control.addAccount({ id: 'ada', timeZone: 'UTC' });
    await fixture.control.seedHistory('ada', { seed: 4, days: 30 });
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    const stored = async () =>
      (await fixture.pool.query('select 1 from workout where user_key = $1', [ada.userKey])).rowCount;
    const { activities } = await fixture.control.truth('ada');
    expect(await stored()).toBeLessThan(activities.length);
    const runs = await fixture.reading.runsOf(ada.userKey);
    expect(runs.map(({ status }) => status).toSorted()).toEqual(['in_progress', 'success']);
    for (let quarter = 0; (await stored()) !== activities.length && quarter < 10; quarter++) {
      // Refills the budgets too. They use the database's clock.
      await fixture.pool.query(`update request_budget set updated_at = updated_at - interval '15 minutes'`);
      await fixture.wait(15 * 60);
      await fixture.reading.settle();
    }
    expect(await stored()).toBe(activities.length);
    const rejectedRequests = (await fixture.control.requests()).filter(({ status }) => status === 429);
    expect(rejectedRequests).toEqual([]);
    expect((await fixture.call('GET', '/api/v1/oauth/providers/strava')).body.request_quota).toMatchObject({
      windows: [{ window_seconds: 60 }],
      active_connections: 1,
    });
  } finally {
    await fixture.close();
  }
});

it('reads a week beyond the quota in parts, without duplicates', async () => {
  const COUNT = 120;
  const simulator = await startStravaSimulator({ autoConsent: true });
  const fixture = await openVendorFixture('strava', simulator, {
    historicalSyncOnConnect: true,
    quotas: quotas(),
    values: { READ_STREAMS: 'true' },
  });
  try {
    await fixture.control.addAccount({ id: 'ada', timeZone: 'UTC' });
    const newestMs = Math.floor(Date.now() / MS_PER_MINUTE) * MS_PER_MINUTE - 30 * 60 * MS_PER_MINUTE;
    const activities = Array.from(
      { length: COUNT },
      (_, n): StravaActivity => ({
        id: n + 1,
        sport_type: 'Run',
        start_date: `${new Date(newestMs - n * 60 * MS_PER_MINUTE).toISOString().slice(0, 19)}Z`,
        utc_offset: 0,
        elapsed_time: 600,
        calories: 90,
      }),
    );
    const readings = { time: [0, 60], heartrate: [120, 140] };
    const streams = Object.fromEntries(activities.map(({ id }) => [id, readings]));
    await fixture.control.put('ada', { activities, streams }, { notify: false });
    const ada = await fixture.connect('ada');
    const stored = async () =>
      (await fixture.pool.query('select 1 from workout where user_key = $1', [ada.userKey])).rowCount ?? 0;
    const openRuns = async () =>
      (await fixture.reading.runsOf(ada.userKey)).filter(({ status }) => status === 'in_progress').length;
    /** Runs jobs until all runs have ended. @returns the number of stored workouts after each quarter of an hour */
    const quarters = async () => {
      const counts: number[] = [];
      do {
        await fixture.reading.settle();
        counts.push(await stored());
        // Refills the budgets too. They use the database's clock.
        await fixture.pool.query(`update request_budget set updated_at = updated_at - interval '15 minutes'`);
        await fixture.wait(15 * 60);
      } while ((await openRuns()) > 0 && counts.length < 12);
      return counts;
    };

    const first = await quarters();
    expect(first).toEqual(first.toSorted((a, b) => a - b));
    expect(first.length).toBeGreaterThan(2);
    expect(first.length).toBeLessThan(6);
    expect(first.at(-1)).toBe(COUNT);
    expect((await fixture.reading.runsOf(ada.userKey)).map(({ status }) => status)).toEqual(['success', 'success']);
    expect(await fixture.samples(ada.userKey, 'heart_rate')).toHaveLength(2 * COUNT);
    const requests = await fixture.control.requests();
    expect(requests.filter(({ status }) => status === 429)).toEqual([]);
    const details = requests.filter(({ path }) => /activities\/\d+$/.test(path)).map(({ path }) => path);
    // The first sync and the backfill overlap by a few days, and interrupted reads are repeated.
    expect(details.length).toBeLessThan(COUNT + 60);

    const before = await fixture.everything(ada.userKey);
    await fixture.call('POST', `/api/v1/providers/strava/users/${ada.userId}/sync/historical?days=10`);
    const second = await quarters();
    expect(second.length).toBeGreaterThan(2);
    expect(new Set(second)).toEqual(new Set([COUNT]));
    expect(await fixture.everything(ada.userKey)).toEqual(before);
  } finally {
    await fixture.close();
  }
});
