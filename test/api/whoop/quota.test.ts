import { createMetrics } from '@healthd/daemon/http';
import { watchQuotas } from '@healthd/daemon/ingest/pull';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWhoopFixture, type WhoopFixture } from './whoop-fixture.js';

const QUOTAS = { perUserAndMinute: 1_000, perApplicationAndMinute: 1_000, perApplicationAndDay: 20_000 };
const PATH = '/api/v1/oauth/providers/whoop';

let fixture: WhoopFixture;
beforeEach(async () => {
  fixture = await openWhoopFixture({ quotas: QUOTAS });
  await fixture.control.addAccount({ id: 'ada' });
});
afterEach(() => fixture.close());

/** Returns the number of data requests that the vendor counted, without token requests. */
async function requestCount(): Promise<number> {
  const requests = await fixture.control.requests();
  return requests.filter(({ path }) => path.includes('/v2/')).length;
}

it("shows a provider's spent and remaining requests and user capacity", async () => {
  const before = (await fixture.call('GET', PATH)).body;
  expect(before).toMatchObject({
    provider: 'whoop',
    is_enabled: true,
    request_quota: {
      windows: [
        { window_seconds: 60, limit: 1_000, spent: 0, left: 1_000, refilled_at: null },
        { window_seconds: 86_400, limit: 20_000, spent: 0, left: 20_000 },
      ],
      active_connections: 0,
      users_served: null,
      waiting: { manual: 0, first_sync: 0, webhook: 0, live: 0, backfill: 0 },
    },
  });
  await fixture.connect('ada');
  await fixture.reading.settle();
  const spent = await requestCount();
  expect(spent).toBeGreaterThan(4);
  expect((await fixture.call('GET', PATH)).body.request_quota).toMatchObject({
    windows: [
      // A new minute may have started, so fewer requests may count.
      { window_seconds: 60, spent: expect.toSatisfy((count: number) => count <= spent) },
      { window_seconds: 86_400, spent, left: 20_000 - spent },
    ],
    active_connections: 1,
    requests_last_day: spent,
    requests_per_user_and_day: spent,
    users_served: Math.floor(20_000 / spent),
  });
});

it("exports WHOOP's request limit, spent and remaining requests as metrics", async () => {
  await fixture.connect('ada');
  await fixture.reading.settle();
  const { registry } = createMetrics();
  watchQuotas(registry, ['google', 'whoop'], fixture.reading.connections);
  const text = await registry.metrics();
  const spent = await requestCount();
  expect(text).toContain('healthd_vendor_quota_limit_requests{provider="whoop",window_seconds="86400"} 20000');
  expect(text).toContain(`healthd_vendor_quota_spent_requests{provider="whoop",window_seconds="86400"} ${spent}`);
  expect(text).toContain(
    `healthd_vendor_quota_left_requests{provider="whoop",window_seconds="86400"} ${20_000 - spent}`,
  );
  expect(text).toContain(`healthd_vendor_quota_users_served{provider="whoop"} ${Math.floor(20_000 / spent)}`);
  expect(text).toContain('healthd_vendor_quota_waiting_runs{provider="whoop",priority="backfill"} 0');
  expect(text).not.toContain('google');
});
