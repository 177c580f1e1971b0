import { providerById } from '@healthd/providers';
import { startPolarSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { openVendorFixture } from '../../support/vendor-fixture.js';

/** Request limit per quarter hour. It is too small for the complete history of all data types. */
const PER_QUARTER = 18;

it('reads history within the quarter-hour quota without rejections', async () => {
  const simulator = await startPolarSimulator({ autoConsent: true, limits: { perQuarter: PER_QUARTER } });
  const quotas = providerById('polar')?.cloud?.quotas;
  if (!quotas) throw new Error('polar has no quotas');
  const fixture = await openVendorFixture('polar', simulator, {
    historicalSyncOnConnect: true,
    quotas: { ...quotas, perUserAndMinute: 1_000, perApplicationAndMinute: 10_000 },
  });
  try {
    await fixture.control.addAccount({ id: 'ada', timeZone: 'UTC' });
    await fixture.control.seedHistory('ada', { seed: 4, days: 60 });
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    const stored = async () => {
      const totals = await fixture.pool.query(
        'select distinct start_at from sample where user_key = $1 and type_id = 81',
        [ada.userKey],
      );
      return totals.rowCount;
    };
    const { days } = await fixture.control.truth('ada');
    const openRuns = async () =>
      (await fixture.reading.runsOf(ada.userKey)).filter(({ status }) => status === 'in_progress').length;
    expect(await openRuns()).toBeGreaterThan(0);
    for (let quarter = 0; (await openRuns()) > 0 && quarter < 12; quarter++) {
      // Refills the budgets too. They use the database's clock.
      await fixture.pool.query(`update request_budget set updated_at = updated_at - interval '15 minutes'`);
      await fixture.wait(15 * 60);
      await fixture.reading.settle();
    }
    expect(await openRuns()).toBe(0);
    expect(await stored()).toBe(days.length);
    const rejectedRequests = (await fixture.control.requests()).filter(({ status }) => status === 429);
    expect(rejectedRequests).toEqual([]);
  } finally {
    await fixture.close();
  }
});
