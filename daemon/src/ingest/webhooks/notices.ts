import { MS_PER_DAY } from '@healthd/model';
import { type DeliveredItem, VendorError } from '@healthd/providers';
import type { Connection } from '../../connections/index.js';
import { inTransaction, lockUserIfExists } from '../../platform/database/index.js';
import type { WaitingDelivery } from './deliveries.js';
import type { DeliveryServices } from './delivery-services.js';
import { isFaultOfData } from './passing-failure.js';

/** The kind under which the time of the last change of permissions is stored. */
const CONSENT = 'consent';
/** A time that is further ahead of the delivery is wrong, and would outdo all later changes. */
const AHEAD_MS = MS_PER_DAY;

/** What a vendor says of a consent. */
export type Notice = Extract<DeliveredItem, { kind: 'deregistration' | 'consent' }>;

/**
 * Does what a vendor says of a consent, for every user who is connected to the account; what fails for one keeps it from no
 * other. @throws one failure of several, of those that are tried again first
 */
export async function followNotice(
  services: DeliveryServices,
  { provider, receivedAt }: WaitingDelivery,
  notice: Notice,
): Promise<void> {
  const failures: unknown[] = [];
  for (const connection of await services.connections.connectionsOfVendorAccount(provider, notice.account)) {
    try {
      if (notice.kind === 'consent') await changeScope(services, connection, notice, receivedAt);
      else await endUnlessStale(services, connection);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures.find((error) => !isFaultOfData(error)) ?? failures[0];
}

/** What a consent that came meanwhile brought is looked at again. */
async function endUnlessStale(services: DeliveryServices, connection: Connection): Promise<void> {
  const { connections } = services;
  let current: Connection | undefined = connection;
  while (current?.hasTokens && !(await isStale(services, current))) {
    if (await connections.endDeregistered(current)) return;
    current = await connections.findConnectionById(connection.id);
  }
}

/**
 * Whether the tokens work although a notice says that the person has left: it is an old one that came again after a new
 * consent, or not the vendor's, whose deliveries are not signed. @throws where the vendor does not say
 */
async function isStale({ connections }: DeliveryServices, connection: Connection): Promise<boolean> {
  const oauth = connections.configurationOf(connection.provider)?.cloud.oauth;
  if (!oauth) return false;
  try {
    const { userId } = await oauth.identify(connections.vendorApiOf(connection));
    return userId === connection.providerUserId;
  } catch (error) {
    if (!(error instanceof VendorError) || error.code !== 'unauthorized') throw error;
    return false;
  }
}

/**
 * When changes come in the wrong order, the later one counts; one from before the consent is ignored. One without a time,
 * or with one that cannot be, is as late as its delivery.
 */
async function changeScope(
  { pool, connections, now, requestPast }: DeliveryServices,
  connection: Connection,
  { scope, atMs }: Extract<Notice, { kind: 'consent' }>,
  receivedAt: Date,
): Promise<void> {
  const { id, userKey, provider } = connection;
  const receivedMs = receivedAt.getTime();
  const changedMs = atMs === undefined || atMs > receivedMs + AHEAD_MS ? receivedMs : atMs;
  const counts = await inTransaction(pool, async (client) => {
    await lockUserIfExists(client, { userKey });
    // Under the lock of the user: a consent may have come since the connection was read.
    const consent = await client.query<{ at: Date | null }>(
      'select account_checked_at as at from connection where id = $1',
      [id],
    );
    const consentedAt = consent.rows[0]?.at ?? null;
    // The vendor gives whole seconds.
    if (consentedAt && changedMs + 1_000 <= consentedAt.getTime()) return false;
    const { rowCount } = await client.query(
      `insert into delivered_version as v (connection_id, data_type, item, version, seen_at) values ($1, $2, '', $3, $4)
       on conflict (connection_id, data_type, item) do update
          set version = excluded.version, seen_at = excluded.seen_at
        where v.version <= excluded.version or v.seen_at < $5`,
      [id, CONSENT, changedMs, now(), consentedAt],
    );
    if (rowCount === 1) await connections.changeScope(client, connection, scope);
    return true;
  });
  if (!counts) return;
  const needed = connections.configurationOf(provider)?.cloud.exports?.scope;
  if (needed === undefined) return;
  // Also where the scope is as it was: the process may have died before it requested anything.
  const changed = await connections.findConnectionById(id);
  if (changed?.grantedScopes.has(needed)) await requestPast(changed);
}
