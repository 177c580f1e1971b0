import { getConfig } from '@healthd/api';
import { type Binding, bind } from '../binding.js';

export interface OperationsOptions {
  /** Header that carries an API key. */
  apiKeyHeader: string;
}

/** What the service says about itself. */
export function operationsRoutes({ apiKeyHeader }: OperationsOptions): Binding[] {
  return [bind(getConfig, async () => ({ outgoing_webhooks_enabled: false, api_key_header: apiKeyHeader }))];
}
