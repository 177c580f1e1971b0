import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccounts } from '@healthd/daemon/accounts';
import { compose } from '@healthd/daemon/compose';
import { createSequelize } from '@healthd/daemon/platform/database';
import { readSettings } from '@healthd/daemon/settings';
import { createVault } from '@healthd/daemon/vault';
import { pino } from 'pino';
import { createTestDatabase } from './postgres.js';
import { SecretWatch } from './secret-watch.js';

const signingKey = new Uint8Array(32).fill(7);
const encryptionKeys = [new Uint8Array(32).fill(8)] as const;
const account = { ADMIN_EMAIL: 'ada@clinic.example', ADMIN_PASSWORD: 'correct horse battery' };

/**
 * Starts the service as the program does, with all routes and a separate database. `accounts` creates credentials that
 * the service accepts.
 * @param env overrides test settings
 * @param role jobs run only with the role `all`
 * @param through puts a proxy between the service and its database
 */
export async function startWholeService(
  env: Record<string, string> = {},
  role: 'api' | 'all' = 'api',
  through: (databaseUrl: string) => Promise<string> = async (url) => url,
) {
  const database = await createTestDatabase({ maxConnections: 10 });
  const { pool } = database;
  const databaseUrl = await through(database.url);
  const folder = await mkdtemp(join(tmpdir(), 'healthd-whole-'));
  const logLines: string[] = [];
  const watch = new SecretWatch();
  const log = pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) });
  const start = (changed: Record<string, string>) =>
    compose({
      settings: readSettings({
        DATABASE_URL: databaseUrl,
        SECRET_KEY: 's'.repeat(32),
        SIGNING_KEY: 's'.repeat(32),
        ENCRYPTION_KEY: Buffer.from(encryptionKeys[0]).toString('base64'),
        DATA_DIR: folder,
        PORT: '0',
        METRICS_PORT: '0',
        ...account,
        ...env,
        ...changed,
      }),
      keys: { secretKey: 's'.repeat(32), encryptionKeys, signingKey },
      database: { url: databaseUrl, embedded: undefined, close: async () => undefined },
      role,
      log,
    });
  const first = await start({});
  await first.firstAccount?.shown();
  let service = first;
  const sequelize = createSequelize({ url: database.url });
  const accounts = createAccounts({ pool, sequelize, signingKey, vault: createVault(encryptionKeys) });
  return {
    database,
    pool,
    sequelize,
    accounts,
    signingKey,
    logLines,
    watch,
    get url() {
      return `http://127.0.0.1:${service.port}`;
    },
    email: account.ADMIN_EMAIL,
    password: account.ADMIN_PASSWORD,
    apiKey: first.firstAccount?.apiKey ?? '',
    apiKeyHeader: first.apiKeyHeader,
    /** Restarts on the same database. `changed` overrides settings of the first start. */
    async restart(changed: Record<string, string>) {
      await service.stop();
      service = await start(changed);
    },
    /** Stops the service. Fails if its log contains a secret that `watch` collected. */
    async stop() {
      await service.stop();
      await sequelize.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
      watch.check(logLines, 'the log');
    },
  };
}

export type WholeService = Awaited<ReturnType<typeof startWholeService>>;
