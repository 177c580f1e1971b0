import { providerById } from '@healthd/providers';
import { startStravaSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { openVendorFixture } from '../../support/vendor-fixture.js';

/** Enough for one window of the past and not for two. */
const READS = 14;

it('the past is read as far as the quarter of an hour allows, and goes on with the next one', async () => {
  const simulator = await startStravaSimulator({ autoConsent: true, limits: { readsPerQuarter: READS } });
  const quotas = providerById('strava')?.cloud?.quotas;
  if (!quotas) throw new Error('strava has no quotas');
  const fixture = await openVendorFixture('strava', simulator, {
    historicalSyncOnConnect: true,
    quotas: { ...quotas, perPersonAndMinute: 1_000, perApplicationAndMinute: 10_000 },
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
      // The budgets go by the clock of the database.
      await fixture.pool.query(`update request_budget set updated_at = updated_at - interval '15 minutes'`);
      await fixture.wait(15 * 60);
      await fixture.reading.settle();
    }
    expect(await stored()).toBe(activities.length);
    const refused = (await fixture.control.requests()).filter(({ status }) => status === 429);
    expect(refused).toEqual([]);
    expect((await fixture.call('GET', '/api/v1/oauth/providers/strava')).body.request_quota).toMatchObject({
      windows: [{ window_seconds: 60 }],
      active_connections: 1,
    });
  } finally {
    await fixture.close();
  }
});
