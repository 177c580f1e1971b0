import type { ProviderId } from '@healthd/model';
import {
  startOuraSimulator,
  startStravaSimulator,
  startWhoopSimulator,
  type WhoopSimulatorOptions,
} from '@healthd/simulators';
import { describe, expect, it } from 'vitest';
import { openVendorFixture } from '../support/vendor-fixture.js';

/** Common functions of these vendors' simulators. */
interface SeededControl {
  addAccount(account: { id: string }): Promise<unknown>;
  seedHistory(account: string, options: { seed: number; days: number }): Promise<unknown>;
  advanceClock(seconds: number): Promise<void>;
}

const limits: WhoopSimulatorOptions['limits'] = { perMinute: 10_000 };
const VENDORS = [
  { id: 'strava', start: () => startStravaSimulator({ autoConsent: true }) },
  { id: 'whoop', start: () => startWhoopSimulator({ autoConsent: true, limits }) },
  { id: 'oura', start: () => startOuraSimulator({ autoConsent: true }) },
] as const satisfies readonly { id: ProviderId; start: () => Promise<{ control: SeededControl }> }[];

describe.each(VENDORS)('a second account of $id', ({ id, start }) => {
  it("adds its data to the first account's data", async () => {
    const simulator = await start();
    const fixture = await openVendorFixture(id, simulator, { historicalSyncOnConnect: true });
    const control = simulator.control as SeededControl;
    try {
      await control.addAccount({ id: 'ada' });
      await control.addAccount({ id: 'ben' });
      await control.seedHistory('ada', { seed: 4, days: 20 });
      await control.seedHistory('ben', { seed: 9, days: 20 });
      const user = await fixture.connect('ada');
      await fixture.reading.settle();
      const ofAda = await fixture.everything(user.userKey);
      expect(ofAda.length).toBeGreaterThan(10);

      const readPast = async () => {
        const path = `/api/v1/providers/${id}/users/${user.userId}/sync/historical`;
        expect((await fixture.call('POST', path, { days: 30 })).status).toBe(200);
        await fixture.reading.settle();
      };
      await fixture.connect('ben', user.userId);
      await fixture.reading.settle();
      await readPast();
      const ofBoth = await fixture.everything(user.userKey);
      expect(ofBoth).toEqual(expect.arrayContaining(ofAda));
      expect(ofBoth.length).toBeGreaterThan(ofAda.length + 10);

      // The two accounts have distinct sources. When the first account is connected again, no stored data changes.
      const { body } = await fixture.call('GET', `/api/v1/users/${user.userId}/data-sources`);
      const accounts = new Set(body.items.map((source: { vendor_account: string }) => source.vendor_account));
      expect(accounts.size).toBe(2);
      await fixture.connect('ada', user.userId);
      await fixture.reading.settle();
      await readPast();
      expect(await fixture.everything(user.userKey)).toEqual(ofBoth);
    } finally {
      await fixture.close();
    }
  });
});
