import { realpath } from 'node:fs/promises';
import pg from 'pg';
import { clusterDirectoryOf } from './cluster.js';
import { type ConnectionFile, connectionUrl } from './connection-file.js';

/** The daemon's database on the embedded server. */
export const DATABASE = 'healthd';

/** True if the server accepts the connection and serves this data directory. */
export async function answers(connection: ConnectionFile, dataDir: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: connectionUrl(connection, 'postgres'),
    connectionTimeoutMillis: 3000,
    query_timeout: 3000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ directory: string }>("select current_setting('data_directory') as directory");
    const directory = rows[0]?.directory;
    return directory !== undefined && (await realpath(directory)) === (await realpath(clusterDirectoryOf(dataDir)));
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Creates the daemon's database on a new server. */
export async function ensureDatabase(connection: ConnectionFile): Promise<void> {
  const client = new pg.Client({ connectionString: connectionUrl(connection, 'postgres') });
  // Handles a connection lost between two statements, which would otherwise end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
