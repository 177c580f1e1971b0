import { getConfig } from '@healthd/contract';
import { type Binding, bind } from '../binding.js';

export interface OperationsOptions {
  /** Header that carries an API key. */
  apiKeyHeader: string;
  /** Undefined: off. */
  pullSyncLookbackMs?: number | undefined;
}

/** What the service says about itself. */
export function operationsRoutes({ apiKeyHeader, pullSyncLookbackMs }: OperationsOptions): Binding[] {
  return [
    bind(getConfig, async () => ({
      outgoing_webhooks_enabled: false,
      api_key_header: apiKeyHeader,
      pull_sync_lookback_seconds: pullSyncLookbackMs === undefined ? null : Math.round(pullSyncLookbackMs / 1_000),
    })),
  ];
}
