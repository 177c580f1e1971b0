import type { ProviderId } from '@healthd/model';
import { getConfig, getSystemStatus, type SystemStatus } from '@healthd/schemas';
import { type Binding, bind } from '../binding.js';

export interface OperationsOptions {
  /** Name of the API key header. */
  apiKeyHeader: string;
  /** Undefined if the lookback is off. */
  pullSyncLookbackMs?: number | undefined;
  /** Providers whose vendors are simulated; undefined outside the sandbox. */
  sandboxProviders?: ProviderId[] | undefined;
  /** Reads the status of the service and its dependencies. */
  readStatus(): Promise<SystemStatus>;
}

/** Routes for information about the service. */
export function operationsRoutes({
  apiKeyHeader,
  pullSyncLookbackMs,
  sandboxProviders,
  readStatus,
}: OperationsOptions): Binding[] {
  return [
    bind(getConfig, async () => ({
      outgoing_webhooks_enabled: false,
      api_key_header: apiKeyHeader,
      pull_sync_lookback_seconds: pullSyncLookbackMs === undefined ? null : Math.round(pullSyncLookbackMs / 1_000),
      sandbox: sandboxProviders === undefined ? null : { providers: sandboxProviders },
    })),
    bind(getSystemStatus, readStatus),
  ];
}
