import { Counter, type Registry } from 'prom-client';

/** Outcome of a change that a vendor reported. `unproven`: the setting that verifies deliveries is not set. */
type NotificationOutcome = 'accepted' | 'unmatched' | 'unhandled' | 'refused' | 'badly_signed' | 'unproven';

/** Metrics of reading from vendors. Labels contain only provider IDs, run types and codes. */
export interface PullMetrics {
  runEnded(provider: string, source: string, status: string): void;
  rowsStored(provider: string, rows: number): void;
  vendorFailed(provider: string, code: string): void;
  notified(provider: string, outcome: NotificationOutcome): void;
}

/** Creates the counters in the registry of `/metrics`. */
export function createPullMetrics(registry: Registry): PullMetrics {
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const runs = counter('healthd_sync_runs_total', 'Ended syncs', 'provider', 'source', 'status');
  const rows = counter('healthd_sync_rows_total', 'Rows that syncs inserted, updated or deleted', 'provider');
  const failures = counter('healthd_vendor_failures_total', 'Failed vendor requests', 'provider', 'code');
  const notified = counter('healthd_vendor_notifications_total', 'Changes reported by vendors', 'provider', 'outcome');
  return {
    runEnded: (provider, source, status) => runs.inc({ provider, source, status }),
    rowsStored: (provider, count) => rows.inc({ provider }, count),
    vendorFailed: (provider, code) => failures.inc({ provider, code }),
    notified: (provider, outcome) => notified.inc({ provider, outcome }),
  };
}
