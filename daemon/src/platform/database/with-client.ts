import pg from 'pg';
import { connectionSettings, type PoolOptions } from './pool.js';

/**
 * Runs `work` with a connection outside any pool, and closes it afterwards.
 * @throws the error of `work`; if the connection is lost, the next statement fails
 */
export async function withClient<T>(
  options: Pick<PoolOptions, 'url' | 'applicationName'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connectionSettings(options));
  // Handles the loss of the connection between two statements, which would otherwise end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
