import { ConsentStates, Consents } from '@healthd/daemon/connections';
import {
  connectionRoutes,
  oauthRoutes,
  providerRoutes,
  providerSyncRoutes,
  providerWebhookRoutes,
  readingRoutes,
  runRetryRoutes,
  syncRoutes,
} from '@healthd/daemon/http';
import { nextPollAt, pullRetrier, startReading } from '@healthd/daemon/ingest/pull';
import { retriersOf } from '@healthd/daemon/runs';
import { createVault } from '@healthd/daemon/vault';
import { noRetrier } from './no-retrier.js';
import type { joinReading } from './reading-fixture.js';
import { recordWriter } from './recorded-user.js';

/** The routes by which people connect, vendors notify and data are read. @param base the service's address, known later */
export function vendorRoutes({ services, connections, pool }: ReturnType<typeof joinReading>, base: () => string) {
  connections.onConnected((connection, establishment) => startReading(services, connection, establishment));
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const findUser = async (id: string) => {
    const { rows } = await pool.query<{ id: string; user_key: number }>(
      'select id, user_key from health_user where id = $1',
      [id],
    );
    return rows[0] && { id: rows[0].id, userKey: rows[0].user_key };
  };
  const consents = new Consents({
    connections,
    log,
    states: new ConsentStates(pool, createVault([new Uint8Array(32).fill(8)])),
    rules: {
      allowlist: undefined,
      allowLoopback: true,
      // Known once the service listens.
      get apiBaseUrl() {
        return base();
      },
    },
  });
  const { uses, configurationOf } = connections;
  return [
    ...oauthRoutes({ consents, findUser }),
    ...connectionRoutes({
      connections,
      writer: recordWriter({ pool }),
      nextPollAt: (connection) => nextPollAt(services, connection),
    }),
    ...providerRoutes({ uses, configurationOf, subscriptions: { tryEnqueue: async () => true } }),
    ...providerSyncRoutes(services),
    ...runRetryRoutes({
      ...services,
      retriers: retriersOf({ pull: pullRetrier(services), importFile: noRetrier, deviceBatch: noRetrier }),
    }),
    ...providerWebhookRoutes(services),
    ...syncRoutes({ pool }),
    ...readingRoutes({ pool, coverage: [] }),
  ];
}
