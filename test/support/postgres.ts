import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createPool } from '@healthd/daemon/platform/database';
import { runSql } from './run-sql.js';

/** A database of a test's own, with all migrations applied and nothing in it. */
export interface TestDatabase {
  url: string;
  pool: ReturnType<typeof createPool>;
  /** Ends the pool and removes the database, whatever is still connected. */
  drop(): Promise<void>;
}

/**
 * Creates a database as a copy of the migrated template. The server is one embedded Postgres per test run, or the one
 * that DATABASE_URL_FOR_TESTS names (its user must be allowed to create databases).
 */
export async function createTestDatabase(options: { maxConnections?: number } = {}): Promise<TestDatabase> {
  const { url: serverUrl, template } = await askForServer();
  const name = `healthd_test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await runSql(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  const address = new URL(serverUrl);
  address.pathname = `/${name}`;
  const pool = createPool({ url: address.href, max: options.maxConnections ?? 5, applicationName: 'healthd test' });
  return {
    url: address.href,
    pool,
    async drop() {
      await pool.end();
      await runSql(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

async function askForServer(): Promise<{ url: string; template: string }> {
  const path = process.env.HEALTHD_TEST_POSTGRES;
  if (path === undefined) throw new Error('the global set-up of vitest.config.ts has not run');
  const answer = JSON.parse(await text(connect(path))) as { url: string; template: string; error?: string };
  if (answer.error !== undefined) throw new Error(`no Postgres for the tests: ${answer.error}`);
  return answer;
}
