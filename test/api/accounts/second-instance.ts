import { type AccountsOptions, createAccounts } from '@healthd/daemon/accounts';
import { accountRoutes, createApp, createGate, startServer, userRoutes } from '@healthd/daemon/http';
import { createSequelize } from '@healthd/daemon/platform/database';
import { createVault } from '@healthd/daemon/vault';
import { pino } from 'pino';
import type { TestService } from '../../support/service.js';

/** Another process of the same service as far as a caller can tell: nothing shared but the database and the keys. */
export async function startSecondInstance(service: TestService, options: Partial<AccountsOptions> = {}) {
  const { pool, database, signingKey, users } = service;
  const sequelize = createSequelize({ url: database.url });
  const vault = createVault([new Uint8Array(32).fill(8)]);
  const accounts = createAccounts({ pool, sequelize, signingKey, vault, ...options });
  const findUser = (id: string) => users.find(id);
  const gate = createGate({ accounts, findUser });
  const app = createApp({
    authenticate: gate.authenticate,
    findUser,
    checkAnswers: true,
    errorFormat: 'standard',
    trustProxy: false,
    audit: () => undefined,
    bindings: [...accountRoutes({ accounts }), ...userRoutes({ users })],
    log: pino({ level: 'silent' }),
  });
  const server = await startServer({ app, host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${server.port}`,
    async stop() {
      await server.close(2);
      await sequelize.close();
    },
  };
}
