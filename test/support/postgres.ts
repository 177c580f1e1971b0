import { randomBytes } from 'node:crypto';
import { createPool, DatabaseChannels } from '@healthd/daemon/platform/database';
import { PriorityStore } from '@healthd/daemon/priorities';
import { askTestRunner } from './ask-test-runner.js';
import { runSql } from './run-sql.js';

/** A database of a test's own, with all migrations applied and nothing in it. */
export interface TestDatabase {
  name: string;
  url: string;
  pool: ReturnType<typeof createPool>;
  /** Not connected before something reads or sets them. */
  priorities: PriorityStore;
  /** Not connected before something listens. */
  channels: DatabaseChannels;
  /** Ends the pool and removes the database, also while something is connected. */
  drop(): Promise<void>;
}

/**
 * Creates a database as a copy of the migrated template. The server is one embedded Postgres per test run, or the one
 * that DATABASE_URL_FOR_TESTS names (its user must be allowed to create databases).
 * @param options `copyOf`: what is copied in place of the template; nothing may be connected to it
 */
export async function createTestDatabase(
  options: { maxConnections?: number; copyOf?: Pick<TestDatabase, 'name'> } = {},
): Promise<TestDatabase> {
  const { url: serverUrl, template: empty } = await askTestRunner('database');
  const template = options.copyOf?.name ?? empty;
  const name = `healthd_test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await runSql(serverUrl, `create database ${name} template ${template} strategy file_copy`);
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
      await runSql(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}
