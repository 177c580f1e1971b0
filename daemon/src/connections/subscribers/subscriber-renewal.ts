import type { ProviderId } from '@healthd/model';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ConfiguredCloud } from '../connections.js';
import type { SubscriberEnqueuer } from './subscriber-job.js';
import type { KeptRegistration, RegistrationOf } from './subscriber-registration.js';

export interface SubscriberRenewalServices {
  pool: pg.Pool;
  configurationOf(provider: ProviderId): ConfiguredCloud | undefined;
  registrationOf: RegistrationOf;
  subscriptions: SubscriberEnqueuer;
  log: Pick<Logger, 'warn'>;
}

/**
 * Registers subscribers again that were made with other settings than those of this process, e.g. with an address or a
 * secret that the operator has changed since. The provider is polled until that is done. What the operator registered by
 * hand is left alone; one that was managed and can be no more becomes such a one.
 */
export async function renewSubscribers(services: SubscriberRenewalServices): Promise<void> {
  const { pool, configurationOf, registrationOf, subscriptions, log } = services;
  const { rows } = await pool.query<{ provider: ProviderId }>(
    `select provider from provider_setting where live_sync_mode = 'webhook' and subscriber_state in ('active', 'failed')`,
  );
  for (const { provider } of rows) {
    if (!configurationOf(provider)?.cloud.subscribers) continue;
    const wanted = registrationOf(provider);
    const outdated = await markOutdated(pool, provider, wanted);
    if (!outdated) continue;
    const { former } = outdated;
    const leftBehind = former && former.name !== wanted?.name ? former.name : undefined;
    log.warn(
      { event: 'subscriber_outdated', provider, changed: differences(former, wanted), left_behind: leftBehind },
      wanted
        ? 'Registering the subscriber at the vendor again: its settings have changed'
        : 'Leaving the subscriber at the vendor to the operator: the settings to manage it are gone',
    );
    await subscriptions.tryEnqueue({ provider });
  }
}

/** In one statement, so that of several processes one does it. */
async function markOutdated(
  pool: pg.Pool,
  provider: ProviderId,
  wanted: KeptRegistration | undefined,
): Promise<{ former: KeptRegistration | null } | undefined> {
  const { rows } = await pool.query<{ former: KeptRegistration | null }>(
    `with outdated as (
       select provider, subscriber_registration as former from provider_setting
        where provider = $1 and live_sync_mode = 'webhook' and subscriber_state in ('active', 'failed')
          and subscriber_registration is distinct from $2::jsonb
          for update
     )
     update provider_setting as setting
        set subscriber_state = 'registering', subscriber_error = null, first_notified_at = null, updated_at = now()
       from outdated where setting.provider = outdated.provider
     returning outdated.former`,
    [provider, wanted && JSON.stringify(wanted)],
  );
  return rows[0];
}

/** Names only. */
function differences(former: KeptRegistration | null, wanted: KeptRegistration | undefined): string[] {
  const names = ['name', 'endpoint', 'dataTypes', 'secretDigest'] as const;
  return names.filter((name) => JSON.stringify(former?.[name]) !== JSON.stringify(wanted?.[name]));
}
