import type { ProviderId } from '@healthd/model';
import type { Provider } from '@healthd/providers';
import type { SystemStatus } from '@healthd/schemas';
import type pg from 'pg';
import type { PullServices } from '../pull/index.js';

export interface UnprovenDeliveriesServices {
  pool: pg.Pool;
  providers: readonly Provider[];
  configurationOf: PullServices['connections']['configurationOf'];
  /** Returns the URL of the provider's webhook. */
  webhookAddress(provider: ProviderId): string;
}

/**
 * Lists configured providers whose deliveries are rejected because the setting that verifies them is not set. Also
 * lists a provider that has the setting, until the history of each connection has been requested after the last
 * rejection.
 */
export async function listUnprovenDeliveries({
  pool,
  providers,
  configurationOf,
  webhookAddress,
}: UnprovenDeliveriesServices): Promise<SystemStatus['unproven_deliveries']> {
  const found: SystemStatus['unproven_deliveries'] = [];
  for (const { id, cloud } of providers) {
    const proof = cloud?.deliveries?.addressProof;
    const configured = configurationOf(id);
    if (!cloud || !proof || !configured) continue;
    const setting = `${cloud.settingsPrefix}_${proof.setting}`;
    const isSet = (configured.configuration.values[proof.setting] ?? '') !== '';
    const gap = await gapOf(pool, id);
    if (isSet && gap.connections_to_backfill === 0) continue;
    const address = `${webhookAddress(id)}?${proof.parameter}=<${setting}>`;
    found.push({ provider: id, setting, is_set: isSet, address, ...gap });
  }
  return found;
}

/** Returns a provider's rejected deliveries, and the connections that may lack their data. */
async function gapOf(pool: pg.Pool, provider: ProviderId) {
  const { rows } = await pool.query<{
    refused: number;
    first_refused_on: string | null;
    last_refused_at: Date | null;
    connections_to_backfill: number;
  }>(
    `with gap as (
       select coalesce(sum(notifications), 0)::float8 as refused, min(day)::text as first_refused_on, max(last_at) as last_refused_at
         from notification_count where provider = $1 and outcome = 'unproven')
     select gap.*, (select count(*)::int from connection
                     where provider = $1 and status = 'active' and created_at < gap.last_refused_at
                       and (backfill_started_at is null or backfill_started_at < gap.last_refused_at)) as connections_to_backfill
       from gap`,
    [provider],
  );
  const [gap] = rows;
  return {
    refused: gap?.refused ?? 0,
    first_refused_on: gap?.first_refused_on ?? null,
    last_refused_at: gap?.last_refused_at?.toISOString() ?? null,
    connections_to_backfill: gap?.connections_to_backfill ?? 0,
  };
}
