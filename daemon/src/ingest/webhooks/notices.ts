import { type DeliveredItem, VendorError, type VendorIdentity } from '@healthd/providers';
import type { Connection } from '../../connections/index.js';
import { inTransaction, lockUserIfExists } from '../../platform/database/index.js';
import type { WaitingDelivery } from './deliveries.js';
import type { DeliveryServices } from './delivery-services.js';
import { isFaultOfData } from './passing-failure.js';

/** What a vendor says of a consent. */
export type Notice = Extract<DeliveredItem, { kind: 'deregistration' | 'consent' }>;

/**
 * Does what a vendor says of a consent, for every user who is connected to the account; what fails for one keeps it from no
 * other. @throws one failure of several, of those that are tried again first
 */
export async function followNotice(
  services: DeliveryServices,
  { provider }: WaitingDelivery,
  notice: Notice,
): Promise<void> {
  const failures: unknown[] = [];
  for (const connection of await services.connections.connectionsOfVendorAccount(provider, notice.account)) {
    try {
      if (notice.kind === 'consent') await refreshScope(services, connection);
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
async function isStale(services: DeliveryServices, connection: Connection): Promise<boolean> {
  const identity = await identityOf(services, connection);
  return identity === undefined ? false : identity.userId === connection.providerUserId;
}

/** Asks the vendor whose tokens these are. undefined if it refuses them. @throws if it does not say */
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
 * Stores what the person grants now, as the vendor says it. What a notice says of it is not used: it may be old, and it may
 * be a stranger's. @throws if the vendor does not say
 */
async function refreshScope(services: DeliveryServices, connection: Connection): Promise<void> {
  const { pool, connections, requestPast } = services;
  const { id, userKey, provider, accountCheckedAt } = connection;
  if (!connection.hasTokens) return;
  const identity = await identityOf(services, connection);
  // A refused token says nothing of permissions; a deregistration has a notice of its own.
  if (identity === undefined || identity.userId !== connection.providerUserId) return;
  const { scope } = identity;
  if (scope === undefined) throw new VendorError({ code: 'unavailable', reason: 'permissions' });
  const isCurrent = await inTransaction(pool, async (client) => {
    await lockUserIfExists(client, { userKey });
    // A consent that came after the question brought its own answer, which is newer.
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
  // Also where the scope is as it was: the process may have died before it requested anything.
  const changed = await connections.findConnectionById(id);
  if (changed?.grantedScopes.has(needed)) await requestPast(changed);
}
