import { schedulePulls } from '@healthd/daemon/ingest/pull';
import { startSuuntoSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { openVendorFixture } from '../../support/vendor-fixture.js';

const UNBOUNDED = 1_000_000;

it('polls totals, edits and, once a day, pushed types in webhook mode', async () => {
  const limits = { perMinute: UNBOUNDED, perWeek: UNBOUNDED };
  const fixture = await openVendorFixture('suunto', await startSuuntoSimulator({ autoConsent: true, limits }));
  try {
    await fixture.control.addAccount({ id: 'ada', timeZone: 'UTC' });
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    const { uses } = fixture.reading.connections;
    await uses.change('suunto', { liveSyncMode: 'webhook' });
    await uses.setSubscriberState('suunto', 'unmanaged');
    await fixture.control.setWebhook({ url: `${fixture.service.url}/api/v1/providers/suunto/webhooks` });
    await fixture.control.put('ada', {
      recovery: [{ timestamp: new Date().toISOString(), entryData: { Balance: 0.5 } }],
    });
    expect((await fixture.control.deliveries()).map(({ status }) => status)).toEqual([200]);
    await fixture.reading.settle();
    expect(await fixture.scores(ada.userKey)).toHaveLength(1);
    // Data between the last poll and the first push is read once.
    await fixture.pull(ada);
    const requestsAfter = async (hours: number) => {
      await fixture.control.clearRequests();
      await fixture.wait(hours * 3_600);
      await schedulePulls(fixture.reading.services, ['suunto'], new AbortController().signal);
      await fixture.wait(3_600);
      await fixture.reading.settle();
      const requests = await fixture.control.requests();
      return new Set(requests.filter(({ role }) => role === 'api').map(({ path }) => path));
    };
    expect(await requestsAfter(8)).toEqual(new Set(['/v3/workouts/', '/247samples/daily-activity-statistics']));
    expect(await requestsAfter(26)).toEqual(
      new Set([
        '/v3/workouts/',
        '/247samples/sleep',
        '/247samples/recovery',
        '/247samples/activity',
        '/247samples/daily-activity-statistics',
      ]),
    );
  } finally {
    await fixture.close();
  }
});
