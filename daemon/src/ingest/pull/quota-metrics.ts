import type { ProviderId } from '@healthd/model';
import { Gauge, type Registry } from 'prom-client';
import type { ConnectionParts, QuotaUse } from '../../connections/index.js';

/**
 * Reports on every scrape each application's remaining quota and waiting runs. Reports no values while the database is
 * unavailable.
 */
export function watchQuotas(
  registry: Registry,
  providers: readonly ProviderId[],
  { quotaUseOf }: Pick<ConnectionParts, 'quotaUseOf'>,
): void {
  // The gauges of one scrape are collected concurrently and share one read.
  let reading: Promise<[ProviderId, QuotaUse][]> | undefined;
  const read = () => {
    reading ??= readAll(providers, quotaUseOf).finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const gauge = (
    name: string,
    help: string,
    labelNames: string[],
    show: (gauge: Gauge, provider: ProviderId, use: QuotaUse) => void,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['provider', ...labelNames],
      registers: [registry],
      async collect() {
        this.reset();
        for (const [provider, use] of await read().catch(() => [])) show(this, provider, use);
      },
    });
  const byWindow =
    (of: 'limit' | 'spent' | 'left') =>
    (gauge: Gauge, provider: ProviderId, { windows }: QuotaUse) => {
      for (const window of windows) gauge.set({ provider, window_seconds: window.seconds }, window[of]);
    };
  const window = ['window_seconds'];
  gauge(
    'healthd_vendor_quota_limit_requests',
    'Maximum number of requests to a vendor per window',
    window,
    byWindow('limit'),
  );
  gauge('healthd_vendor_quota_spent_requests', 'Requests sent within the last window', window, byWindow('spent'));
  gauge('healthd_vendor_quota_left_requests', 'Requests remaining in the window', window, byWindow('left'));
  gauge(
    'healthd_vendor_quota_users_served',
    'Number of users that the quota serves at the request rate of the last 24 hours',
    [],
    (shown, provider, { usersServed }) => usersServed !== undefined && shown.set({ provider }, usersServed),
  );
  gauge('healthd_vendor_quota_waiting_runs', 'Runs waiting for the quota', ['priority'], (shown, provider, use) => {
    for (const [priority, runs] of Object.entries(use.waiting)) shown.set({ provider, priority }, runs);
  });
}

async function readAll(
  providers: readonly ProviderId[],
  quotaUseOf: ConnectionParts['quotaUseOf'],
): Promise<[ProviderId, QuotaUse][]> {
  const all: [ProviderId, QuotaUse][] = [];
  for (const provider of providers) {
    const use = await quotaUseOf(provider);
    if (use) all.push([provider, use]);
  }
  return all;
}
