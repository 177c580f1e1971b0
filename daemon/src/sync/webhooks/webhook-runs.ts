import type { TimeRange } from '@healthd/providers';
import type pg from 'pg';
import type { Connection } from '../../connections/index.js';
import { inTransaction } from '../../database/index.js';
import { queuePullIn } from '../pull/open-runs.js';
import { type PlannedRange, planRanges } from '../pull/progress-rows.js';
import { joinRanges } from '../pull/pull-range.js';
import type { PullServices } from '../pull/pull-services.js';
import { isGranted } from '../pull/pull-turn.js';

/** Notifications that become one run at most; what is left becomes the next one. */
const PER_RUN = 1_000;

/**
 * Turns the notifications that wait for a connection's vendor account into one run over the windows that they name,
 * unless such a run is under way: then they wait for its end, because what it has read may have changed since.
 */
export async function planWebhookRun(services: PullServices, connection: Connection): Promise<void> {
  const { pool, runs } = services;
  const { provider, providerUserId, userKey } = connection;
  if (providerUserId === undefined || !(await somethingWaits(services, provider, providerUserId))) return;
  const planned = await inTransaction(pool, async (client) => {
    await client.query('select 1 from health_user where user_key = $1 for no key update', [userKey]);
    if (await isUnderWay(client, connection)) return false;
    const { rows } = await client.query<{ seq: number; data_type: string; start_ms: number; end_ms: number }>(
      `select seq, data_type, extract(epoch from start_at)::float8 * 1000 as start_ms,
              extract(epoch from end_at)::float8 * 1000 as end_ms
         from provider_notification
        where provider = $1 and provider_user_id = $2 and run_id is null and state = 'received'
        order by seq limit $3 for update`,
      [provider, providerUserId, PER_RUN],
    );
    if (rows.length === 0) return false;
    const metadata = { notifications: rows.length };
    const { runId } = await queuePullIn(services, client, connection, { kind: 'webhook', metadata });
    await planRanges(client, runId, rangesOf(rows, ungrantedTypes(services, connection)));
    await runs.moveIn(client, runId, 'started', { message: 'Reading what the vendor told of.', progress: 0 });
    await client.query('update provider_notification set run_id = $1 where seq = any ($2::bigint[])', [
      runId,
      rows.map(({ seq }) => seq),
    ]);
    return true;
  });
  if (planned) runs.announce(userKey);
}

/** Asked before every window, so it locks nothing. */
async function somethingWaits({ pool }: PullServices, provider: string, account: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select 1 from provider_notification
      where provider = $1 and provider_user_id = $2 and run_id is null and state = 'received' limit 1`,
    [provider, account],
  );
  return rowCount === 1;
}

/** Of any user of the account: each hears what one of them reads. */
async function isUnderWay(
  client: pg.ClientBase,
  { provider, providerUserId }: Pick<Connection, 'provider' | 'providerUserId'>,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from pull_run p join connection c on c.id = p.connection_id
      where p.kind = 'webhook' and c.provider = $1 and c.provider_user_id = $2 limit 1`,
    [provider, providerUserId],
  );
  return rowCount === 1;
}

/** Kinds of data that the person did not consent to; the vendor may tell of them all the same. */
function ungrantedTypes({ connections }: PullServices, { provider, grantedScopes }: Connection): Set<string> {
  const types = connections.configurationOf(provider)?.cloud.pull?.dataTypes ?? [];
  return new Set(types.filter(({ scopes }) => !isGranted(scopes, grantedScopes)).map(({ id }) => id));
}

function rangesOf(
  rows: readonly { data_type: string; start_ms: number; end_ms: number }[],
  ungranted: ReadonlySet<string>,
): PlannedRange[] {
  const byType = new Map<string, TimeRange[]>();
  for (const { data_type: dataType, start_ms: startMs, end_ms: endMs } of rows) {
    const range = { startMs: Math.round(startMs), endMs: Math.round(endMs) };
    const ranges = byType.get(dataType);
    if (ranges) ranges.push(range);
    else byType.set(dataType, [range]);
  }
  return [...byType].flatMap(([dataType, ranges]) =>
    joinRanges(ranges).map((range) => ({
      ...{ dataType, ...range },
      ...(ungranted.has(dataType) && { skipped: 'scope_missing' }),
    })),
  );
}
