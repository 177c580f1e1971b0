import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { openGoogleFixture } from '../api/google/google-fixture.js';

/** A few days under a small quota in `npm test`; in `npm run faults` the whole past under that of the vendor. */
const IS_LONG = process.env.HEALTHD_FAULTS_PEOPLE !== undefined;
export const QUOTA_DAYS = IS_LONG ? 90 : 8;
const PER_MINUTE = IS_LONG ? 300 : 120;
/** What the service keeps to: two thirds of what the vendor allows. */
const OWN = { perPersonAndMinute: Math.floor((PER_MINUTE * 2) / 3), perApplicationAndMinute: 100_000 };

/** A long backfill of one person beside live pulls, under a quota that it needs more than a minute for. */
export async function backfillUnderQuota(): Promise<void> {
  const fixture = await openGoogleFixture({ quotas: OWN, simulator: { quota: { perUser: PER_MINUTE } } });
  try {
    await fixture.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin' });
    await fixture.control.seedHistory('anna', { seed: 5, days: QUOTA_DAYS + 1, dataTypes: ['steps', 'weight'] });
    const { userId, userKey } = await fixture.connect('anna');
    await fixture.call('POST', `/api/v1/providers/google/users/${userId}/sync/historical?days=${QUOTA_DAYS}`);
    await fixture.call('POST', `/api/v1/providers/google/users/${userId}/sync`);
    const until = Date.now() + 400_000;
    for (;;) {
      await fixture.reading.settle();
      const runs = await fixture.reading.runsOf(userKey);
      if (runs.every(({ status }) => status === 'success')) break;
      if (Date.now() > until) throw new Error(`runs stay open: ${runs.map(({ message }) => message)}`);
      await sleep(1_000);
    }
    const peak = (await fixture.control.peakPerMinute()).anna ?? 0;
    const requests = (await fixture.control.requests({ role: 'api' })).length;
    console.log(JSON.stringify({ requests, peak, allowed: OWN.perPersonAndMinute }));
    expect(requests).toBeGreaterThan(OWN.perPersonAndMinute);
    expect(peak).toBeGreaterThan(OWN.perPersonAndMinute / 2);
    expect(peak).toBeLessThanOrEqual(OWN.perPersonAndMinute);
    expect(await fixture.control.requests({ role: 'api', status: 429 })).toEqual([]);
  } finally {
    await fixture.close();
  }
}
