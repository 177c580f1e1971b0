import type { ProviderId } from '@healthd/model';
import type { Provider } from '@healthd/providers';
import type { Logger } from 'pino';

export interface StartupWarningsOptions {
  log: Pick<Logger, 'error' | 'warn' | 'info'>;
  providers: readonly Provider[];
  isConfigured(provider: ProviderId): boolean;
  /** Providers whose webhooks carry SECRET_KEY because they have no separate secret. */
  defaultSecrets: readonly ProviderId[];
  /** Value of HISTORICAL_SYNC_ON_CONNECT. */
  historicalSyncOnConnect: boolean;
  lookbackMs: number | undefined;
  /** Returns the value of a provider's own setting. */
  settingValueOf(provider: ProviderId, setting: string): string | undefined;
  /** Returns the URL of the provider's webhook. */
  webhookAddress(provider: ProviderId): string;
}

/** Logs startup warnings about the configured clouds. */
export function logStartupWarnings(options: StartupWarningsOptions): void {
  const { log, providers, isConfigured, defaultSecrets } = options;
  const configured = providers.filter(({ id, cloud }) => cloud && isConfigured(id));
  for (const { id, cloud } of configured) {
    const proof = cloud?.deliveries?.addressProof;
    if (cloud && proof && (options.settingValueOf(id, proof.setting) ?? '') === '') {
      const setting = `${cloud.settingsPrefix}_${proof.setting}`;
      const address = `${options.webhookAddress(id)}?${proof.parameter}=<${setting}>`;
      log.error(
        { event: 'webhook_proof_unset', provider: id, setting, address },
        `Rejecting all deliveries from the vendor with 503: ${setting} is not set. Set it to a long random value and enter the URL that contains it at the vendor.`,
      );
    }
    if (cloud?.webhook?.secret !== 'own' || !defaultSecrets.includes(id)) continue;
    const setting = `${cloud.settingsPrefix}_WEBHOOK_SECRET`;
    log.warn(
      { event: 'webhook_secret_unset', provider: id },
      `Using SECRET_KEY as the vendor’s webhook secret: ${setting} is not set. Set a separate secret.`,
    );
  }
  if (configured.length === 0) return;
  if (options.historicalSyncOnConnect) {
    log.info(
      { event: 'historical_sync_on_connect' },
      'Fetching historical data for each first connection: HISTORICAL_SYNC_ON_CONNECT is true. Its default will be false in a later release; call the historical sync route instead.',
    );
  }
  if (options.lookbackMs === undefined) {
    log.info(
      { event: 'lookback_off' },
      'Skipping days that a vendor revises later than usual: PULL_SYNC_LOOKBACK is off.',
    );
  }
}
