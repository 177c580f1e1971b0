import { type DeliveredItem, VendorError, type VendorIdentity } from '@healthd/providers';
import type { Connection } from '../../connections/index.js';
import { inTransaction, lockUserIfExists } from '../../platform/database/index.js';
import type { WaitingDelivery } from './deliveries.js';
import type { DeliveryServices } from './delivery-services.js';
import { isCausedByData } from './transient-failure.js';

/** A vendor's notification about a consent. */
export type ConsentNotification = Extract<DeliveredItem, { kind: 'deregistration' | 'consent' }>;

/**
 * Applies a consent notification for every user who is connected to the account. A failure for one user does not affect
 * the others. @throws one of the failures, preferably a transient failure
 */
export async function applyConsentNotification(
  services: DeliveryServices,
  { provider }: WaitingDelivery,
  notification: ConsentNotification,
): Promise<void> {
  const failures: unknown[] = [];
  for (const connection of await services.connections.connectionsOfVendorAccount(provider, notification.account)) {
    try {
      if (notification.kind === 'consent') await refreshScope(services, connection);
      else await endUnlessStale(services, connection);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures.find((error) => !isCausedByData(error)) ?? failures[0];
}

/** Ends a connection unless the notification is stale. Repeats the check if a new consent arrived during the check. */
async function endUnlessStale(services: DeliveryServices, connection: Connection): Promise<void> {
  const { connections } = services;
  let current: Connection | undefined = connection;
  while (current?.hasTokens && !(await isStale(services, current))) {
    if (await connections.endDeregistered(current)) return;
    current = await connections.findConnectionById(connection.id);
  }
}

/**
 * True if the tokens work although a notification reports a deregistration. Such a notification is a late redelivery
 * from before a new consent, or it is forged, because deliveries are not signed. @throws if the vendor's response is
 * inconclusive
 */
async function isStale(services: DeliveryServices, connection: Connection): Promise<boolean> {
  const identity = await identityOf(services, connection);
  return identity === undefined ? false : identity.userId === connection.providerUserId;
}

/**
 * Requests the tokens' account from the vendor; undefined if the vendor rejects the tokens. @throws if the vendor's
 * response is inconclusive
 */
async function identityOf(
  { connections }: DeliveryServices,
  connection: Connection,
): Promise<VendorIdentity | undefined> {
  const oauth = connections.configurationOf(connection.provider)?.cloud.oauth;
  if (!oauth) return undefined;
  try {
    return await oauth.identify(connections.vendorApiOf(connection));
  } catch (error) {
    if (!(error instanceof VendorError) || error.code !== 'unauthorized') throw error;
    return undefined;
  }
}

/**
 * Stores the currently granted scope as the vendor reports it. Ignores the scope in the notification, which may be old
 * or forged. @throws if the vendor does not report the scope
 */
async function refreshScope(services: DeliveryServices, connection: Connection): Promise<void> {
  const { pool, connections, requestHistory } = services;
  const { id, userKey, provider, accountCheckedAt } = connection;
  if (!connection.hasTokens) return;
  const identity = await identityOf(services, connection);
  // Keeps the scope if the vendor rejects the token or reports another account. A rejected token reveals no
  // permissions, and a deregistration arrives as a separate notification.
  if (identity === undefined || identity.userId !== connection.providerUserId) return;
  const { scope } = identity;
  if (scope === undefined) throw new VendorError({ code: 'unavailable', reason: 'permissions' });
  const isCurrent = await inTransaction(pool, async (client) => {
    await lockUserIfExists(client, { userKey });
    // If the time has changed, a later consent has stored a newer scope.
    const { rows } = await client.query<{ at: Date | null }>(
      'select account_checked_at as at from connection where id = $1',
      [id],
    );
    if (rows[0]?.at?.getTime() !== accountCheckedAt?.getTime()) return false;
    await connections.changeScope(client, connection, scope);
    return true;
  });
  const needed = connections.configurationOf(provider)?.cloud.exports?.scope;
  if (!isCurrent || needed === undefined) return;
  // Continues even if the scope is unchanged, because the process may have crashed before it requested the history.
  const changed = await connections.findConnectionById(id);
  if (changed?.grantedScopes.has(needed)) await requestHistory(changed);
}
