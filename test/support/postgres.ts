import { randomBytes } from 'node:crypto';
import { createPool, DatabaseChannels } from '@healthd/daemon/platform/database';
import { PriorityStore } from '@healthd/daemon/priorities';
import { callTestRunner } from './call-test-runner.js';

/** A test's own database, migrated and empty. */
export interface TestDatabase {
  name: string;
  url: string;
  pool: ReturnType<typeof createPool>;
  /** Connects when a priority is first read or set. */
  priorities: PriorityStore;
  /** Connects on the first subscription to a channel. */
  channels: DatabaseChannels;
  /** Closes the pool and removes the database, even with open connections. */
  drop(): Promise<void>;
}

/** Connection of this process to create and drop databases. A new connection costs more than the statement. */
let administration: { serverUrl: string; pool: ReturnType<typeof createPool> } | undefined;

async function administrate(serverUrl: string, sql: string): Promise<void> {
  if (administration?.serverUrl !== serverUrl) {
    const options = { max: 1, connectTimeoutSeconds: 240, applicationName: 'healthd test' };
    const pool = createPool({ url: serverUrl, ...options });
    administration = { serverUrl, pool };
  }
  await administration.pool.query(sql);
}

/**
 * Creates a database as a copy of the migrated template. The server is one embedded Postgres per test run, or the
 * server of DATABASE_URL_FOR_TESTS. That server's user must be allowed to create databases.
 * @param options `copyOf` is the database to copy instead of the template; it must have no connections
 */
export async function createTestDatabase(
  options: { maxConnections?: number; copyOf?: Pick<TestDatabase, 'name'> } = {},
): Promise<TestDatabase> {
  const { url: serverUrl, template: empty } = await callTestRunner('database');
  const template = options.copyOf?.name ?? empty;
  const name = `healthd_test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await administrate(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  const address = new URL(serverUrl);
  address.pathname = `/${name}`;
  const pool = createPool({ url: address.href, max: options.maxConnections ?? 5, applicationName: 'healthd test' });
  const channels = new DatabaseChannels({ url: address.href });
  return {
    name,
    url: address.href,
    pool,
    priorities: new PriorityStore(pool),
    channels,
    async drop() {
      await channels.close();
      await pool.end();
      await administrate(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}
