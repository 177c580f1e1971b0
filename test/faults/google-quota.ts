import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { openGoogleFixture } from '../api/google/google-fixture.js';

/**
 * True in `npm run faults`, which reads the whole history under the vendor's quota. `npm test` reads a few days under a
 * small quota.
 */
const IS_LONG = process.env.HEALTHD_FAULTS_USERS !== undefined;
export const QUOTA_DAYS = IS_LONG ? 90 : 8;
const PER_MINUTE = IS_LONG ? 300 : 120;
/** Request limits of the service. The limit per user is two thirds of the vendor's limit. */
const OWN = { perUserAndMinute: Math.floor((PER_MINUTE * 2) / 3), perApplicationAndMinute: 100_000 };

/** Runs one user's long backfill next to live syncs. The quota stretches the backfill over more than a minute. */
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
    console.log(JSON.stringify({ requests, peak, allowed: OWN.perUserAndMinute }));
    expect(requests).toBeGreaterThan(OWN.perUserAndMinute);
    expect(peak).toBeGreaterThan(OWN.perUserAndMinute / 2);
    expect(peak).toBeLessThanOrEqual(OWN.perUserAndMinute);
    expect(await fixture.control.requests({ role: 'api', status: 429 })).toEqual([]);
  } finally {
    await fixture.close();
  }
}
