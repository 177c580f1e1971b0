import type { ProviderId } from '@healthd/model';
import { getConfig, getSystemStatus, type SystemStatus } from '@healthd/schemas';
import { type Binding, bind } from '../binding.js';

export interface OperationsOptions {
  /** Header that carries an API key. */
  apiKeyHeader: string;
  /** Undefined: off. */
  pullSyncLookbackMs?: number | undefined;
  /** Providers whose vendors are simulated; undefined where the real ones are used. */
  sandboxProviders?: ProviderId[] | undefined;
  /** How the service and what it stands on are doing. */
  readStatus(): Promise<SystemStatus>;
}

/** What the service says about itself. */
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
