import type pg from 'pg';
import { type Connection, isGranted } from '../../connections/index.js';
import { inTransaction, lockUserIfExists } from '../../platform/database/index.js';
import { type PlannedRange, planRanges } from '../../runs/index.js';
import { keyOf, unlocatedNotifications } from './locate-items.js';
import { type NotifiedChange, notifiedAccount, rangesToRead } from './notified-ranges.js';
import { LONG_RUN_WINDOWS, queuePullIn, WINDOWS_READ } from './open-runs.js';
import type { PullServices } from './pull-services.js';

interface NotificationRow {
  seq: number;
  data_type: string;
  item_id: string | null;
  operation: NotifiedChange['operation'];
  start_ms: number;
  end_ms: number;
}

/** Maximum number of notifications per run. The next run reads the rest. */
const PER_RUN = 1_000;

/** Maximum number of long notification runs per vendor account. */
const MAX_LONG_RUNS = 4;

/**
 * Plans one run over the windows of the notifications that wait for a connection's vendor account. Notifications wait
 * for the end of an open short run, because data that the run has read may have changed since. They also wait while the
 * limit of long runs is reached and until their items are located. A postponed run delays only notifications about the
 * data types that it has not finished. Starts no run if no range must be read.
 */
export async function planWebhookRun(services: PullServices, connection: Connection): Promise<void> {
  const { pool, runs } = services;
  const { provider, providerUserId, userKey } = connection;
  if (providerUserId === undefined) return;
  const planned = await inTransaction(pool, async (client) => {
    await lockUserIfExists(client, { userKey });
    const { mustWait, deferredTypes } = await openWebhookRuns(client, connection, services.now());
    if (mustWait) return false;
    const { rows: waiting } = await client.query<NotificationRow>(
      `select seq, data_type, item_id, operation, extract(epoch from start_at)::float8 * 1000 as start_ms,
              extract(epoch from end_at)::float8 * 1000 as end_ms
         from provider_notification
        where provider = $1 and provider_user_id = $2 and run_id is null and state = 'received'
          and data_type <> all ($4::text[])
        order by seq limit $3 for update`,
      [provider, providerUserId, PER_RUN, deferredTypes],
    );
    // Runs after the query for waiting notifications. Otherwise a notification that arrives in between could be planned
    // before its item is located.
    const unlocated = await unlocatedNotifications(client, services, connection);
    const rows = waiting.filter(
      ({ operation, data_type, item_id }) => operation === 'delete' || !unlocated.has(keyOf(data_type, item_id)),
    );
    if (rows.length === 0) return false;
    const ranges = await plannedRanges(services, client, connection, rows);
    if (ranges.length === 0) {
      await client.query(
        `update provider_notification set state = 'done', ended_at = $2 where seq = any ($1::bigint[])`,
        [rows.map(({ seq }) => seq), services.now()],
      );
      return false;
    }
    const metadata = { notifications: rows.length };
    const { runId } = await queuePullIn(services, client, connection, { kind: 'webhook', metadata });
    await planRanges(client, runId, ranges);
    await runs.moveIn(client, runId, 'started', {
      message: 'Reading the changes that the vendor reported.',
      progress: 0,
    });
    await client.query('update provider_notification set run_id = $1 where seq = any ($2::bigint[])', [
      runId,
      rows.map(({ seq }) => seq),
    ]);
    return true;
  });
  if (planned) runs.announce(userKey);
}

/**
 * Checks the open webhook runs that notifications may have to wait for. Includes the runs of all users of the account,
 * because each user receives the data of such a run. Ignores runs of ended connections, which read nothing more.
 * @returns whether a short run is reading or the limit of long runs is reached, and the data types that postponed short
 * runs have not finished
 */
async function openWebhookRuns(
  client: pg.ClientBase,
  { provider, providerUserId }: Pick<Connection, 'provider' | 'providerUserId'>,
  now: Date,
): Promise<{ mustWait: boolean; deferredTypes: string[] }> {
  const { rows } = await client.query<{ is_due: boolean; windows: number; lacking: string[] }>(
    `select p.resume_at <= $3 as is_due, ${WINDOWS_READ}::int as windows,
            array(select g.data_type from pull_progress g where g.run_id = p.run_id and g.outcome is null) as lacking
       from pull_run p join connection c on c.id = p.connection_id
      where p.kind = 'webhook' and c.provider = $1 and c.provider_user_id = $2 and c.status = 'active'`,
    [provider, providerUserId, now],
  );
  const short = rows.filter(({ windows }) => windows < LONG_RUN_WINDOWS);
  return {
    mustWait: short.some(({ is_due }) => is_due) || rows.length - short.length >= MAX_LONG_RUNS,
    deferredTypes: short.flatMap(({ lacking }) => lacking),
  };
}

/** Returns one or more ranges for each data type that must be read. */
async function plannedRanges(
  services: PullServices,
  client: pg.ClientBase,
  connection: Connection,
  rows: readonly NotificationRow[],
): Promise<PlannedRange[]> {
  const { connections, now } = services;
  const { provider, providerUserId, grantedScopes } = connection;
  const types = connections.configurationOf(provider)?.cloud.pull?.dataTypes ?? [];
  const all =
    providerUserId === undefined ? [] : await connections.connectionsOfVendorAccount(provider, providerUserId);
  const account = notifiedAccount([connection, ...all.filter(({ id }) => id !== connection.id)], now());
  const planned: PlannedRange[] = [];
  for (const [dataType, changes] of changesByType(rows)) {
    const type = types.find(({ id }) => id === dataType);
    if (!type) continue;
    // Marks data types that the user did not consent to as skipped. The vendor reports their changes too.
    const skipped = isGranted(type.scopes, grantedScopes) ? undefined : 'scope_missing';
    const ranges = await rangesToRead(client, account, type, changes);
    planned.push(...ranges.map((range) => ({ dataType, ...range, ...(skipped && { skipped }) })));
  }
  return planned;
}

function changesByType(rows: readonly NotificationRow[]): Map<string, NotifiedChange[]> {
  const byType = new Map<string, NotifiedChange[]>();
  for (const { data_type: dataType, item_id, operation, start_ms, end_ms } of rows) {
    const change = {
      itemId: item_id ?? undefined,
      operation,
      startMs: Math.round(start_ms),
      endMs: Math.round(end_ms),
    };
    const changes = byType.get(dataType);
    if (changes) changes.push(change);
    else byType.set(dataType, [change]);
  }
  return byType;
}
