import { Counter, type Registry } from 'prom-client';

/** What became of a change that a vendor reported. `unproven`: the setting that proves deliveries is unset. */
type NotificationOutcome = 'accepted' | 'unmatched' | 'unhandled' | 'refused' | 'badly_signed' | 'unproven';

/** What is counted about reading from vendors; labels hold ids of providers, kinds of runs and codes only. */
export interface PullMetrics {
  runEnded(provider: string, source: string, status: string): void;
  rowsStored(provider: string, rows: number): void;
  vendorFailed(provider: string, code: string): void;
  notified(provider: string, outcome: NotificationOutcome): void;
}

/** Counters in the registry that `/metrics` shows. */
export function createPullMetrics(registry: Registry): PullMetrics {
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const runs = counter(
    'healthd_sync_runs_total',
    'Runs that read from a vendor and ended',
    'provider',
    'source',
    'status',
  );
  const rows = counter('healthd_sync_rows_total', 'Rows that pulls inserted, updated or deleted', 'provider');
  const failures = counter('healthd_vendor_failures_total', 'Readings that a vendor did not give', 'provider', 'code');
  const notified = counter(
    'healthd_vendor_notifications_total',
    'Changes that vendors reported',
    'provider',
    'outcome',
  );
  return {
    runEnded: (provider, source, status) => runs.inc({ provider, source, status }),
    rowsStored: (provider, count) => rows.inc({ provider }, count),
    vendorFailed: (provider, code) => failures.inc({ provider, code }),
    notified: (provider, outcome) => notified.inc({ provider, outcome }),
  };
}
