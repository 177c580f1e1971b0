import { deleteProviderData, disconnectProvider, listConnections } from '@healthd/api';
import { type ConnectionParts, connectionAnswer } from '../../connections/index.js';
import { Failure } from '../../failures.js';
import type { RecordWriter } from '../../records/index.js';
import { type Binding, bind } from '../binding.js';

export interface ConnectionRouteServices {
  connections: ConnectionParts;
  writer: Pick<RecordWriter, 'deleteProvider'>;
}

/** Connections of users: shown, ended, their data deleted. */
export function connectionRoutes({ connections, writer }: ConnectionRouteServices): Binding[] {
  const { reader, uses, farewell } = connections;
  return [
    bind(listConnections, async ({ user, caller }) => {
      const found = await reader.ofUser(user.userKey);
      // Who else shares an account is a matter of people, not of an application that looks after one of them.
      const linked = caller.kind === 'developer' ? await reader.linkedUserIds(found) : new Map<string, string[]>();
      return Promise.all(
        found.map(async (connection) =>
          connectionAnswer(connection, {
            provider: uses.find(connection.provider),
            configured: connections.configurationOf(connection.provider),
            use: await uses.of(connection.provider),
            linkedUserIds: linked.get(connection.id) ?? [],
          }),
        ),
      );
    }),
    bind(disconnectProvider, async ({ user, params }) => {
      const connection = await reader.find(user.userKey, params.provider);
      if (!connection) throw notConnected(params.provider);
      await farewell.disconnect(connection);
      return undefined;
    }),
    bind(deleteProviderData, async ({ user, params }) => {
      const connection = await reader.find(user.userKey, params.provider);
      // First the end of the connection, so that nothing comes in behind the deletion.
      if (connection) await farewell.disconnect(connection);
      const deleted = await writer.deleteProvider(user.userKey, params.provider);
      if (!connection && !deleted) throw notConnected(params.provider);
      return undefined;
    }),
  ];
}

function notConnected(provider: string): Failure {
  return new Failure('not_found', `User not connected to ${provider}`);
}
