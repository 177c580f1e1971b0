import type { ProviderId } from '@healthd/model';
import { Gauge, type Registry } from 'prom-client';
import type { ConnectionParts, QuotaUse } from '../../connections/index.js';

/**
 * Shows on every look what is left of the quota of each provider's application, and which runs wait for it. While the
 * database is away there are no such figures.
 */
export function watchQuotas(
  registry: Registry,
  providers: readonly ProviderId[],
  { quotaUseOf }: Pick<ConnectionParts, 'quotaUseOf'>,
): void {
  // The gauges of one look are collected at the same time and share what was read.
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
    'Requests that an application sends a vendor in a window at most',
    window,
    byWindow('limit'),
  );
  gauge(
    'healthd_vendor_quota_spent_requests',
    'Requests sent in the last seconds of a window',
    window,
    byWindow('spent'),
  );
  gauge('healthd_vendor_quota_left_requests', 'Requests that may still be sent in a window', window, byWindow('left'));
  gauge(
    'healthd_vendor_quota_users_served',
    'Users for whom the quota is enough at the requests of the last 24 hours',
    [],
    (shown, provider, { usersServed }) => usersServed !== undefined && shown.set({ provider }, usersServed),
  );
  gauge('healthd_vendor_quota_waiting_runs', 'Runs that wait for the quota', ['priority'], (shown, provider, use) => {
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
