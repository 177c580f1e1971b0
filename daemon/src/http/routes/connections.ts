import type { ProviderId } from '@healthd/model';
import { deleteProviderData, disconnectProvider, listAllConnections, listConnections } from '@healthd/schemas';
import type pg from 'pg';
import {
  type Connection,
  type ConnectionParts,
  connectionResponse,
  pullBlockerText,
  listAllConnections as readAllConnections,
} from '../../connections/index.js';
import { Failure } from '../../platform/failures.js';
import type { RecordWriter } from '../../store/write/index.js';
import { type Binding, bind } from '../binding.js';

export interface ConnectionRouteServices {
  pool: pg.Pool;
  connections: ConnectionParts;
  writer: Pick<RecordWriter, 'deleteProvider'>;
  /** Returns the time of the next scheduled poll. */
  nextPollAt(connection: Connection): Promise<Date | undefined>;
}

/** Routes for users' connections: list, disconnect, delete a provider's data. */
export function connectionRoutes({ pool, connections, writer, nextPollAt }: ConnectionRouteServices): Binding[] {
  const { reader, uses, deregistration } = connections;
  return [
    bind(listConnections, async ({ user }) => {
      const found = await reader.ofUser(user.userKey);
      const linked = await reader.linkedUserIds(found);
      return Promise.all(
        found.map(async (connection) =>
          connectionResponse(connection, {
            provider: uses.find(connection.provider),
            configured: connections.configurationOf(connection.provider),
            use: await uses.of(connection.provider),
            linkedUserIds: linked.get(connection.id) ?? [],
            nextTryAt: await nextTryOf(connection, nextPollAt),
          }),
        ),
      );
    }),
    bind(listAllConnections, ({ query }) => readAllConnections(pool, query)),
    bind(disconnectProvider, async ({ user, params }) => {
      const connection = await reader.find(user.userKey, params.provider);
      if (!connection) throw notConnected(params.provider);
      await deregistration.disconnect(connection);
      return undefined;
    }),
    bind(deleteProviderData, async ({ user, params }) => {
      const connection = await reader.find(user.userKey, params.provider);
      // Ends the connection first, so that no data arrives after the deletion.
      if (connection) await deregistration.disconnect(connection);
      const deleted = await writer.deleteProvider(user.userKey, params.provider);
      if (!connection && !deleted) throw notConnected(params.provider);
      return undefined;
    }),
  ];
}

/**
 * Returns the time of the next attempt after a failure: the time at which a waiting run continues, otherwise the next
 * poll. Undefined for an ended connection.
 */
async function nextTryOf(
  connection: Connection,
  nextPollAt: ConnectionRouteServices['nextPollAt'],
): Promise<Date | undefined> {
  const { status, nextTryAt, failingSince } = connection;
  if (status !== 'active') return undefined;
  return nextTryAt ?? (failingSince && nextPollAt(connection));
}

function notConnected(provider: ProviderId): Failure {
  return new Failure('not_found', pullBlockerText('not_connected', provider));
}
