import pg from 'pg';
import { connectionSettings, type PoolOptions } from './pool.js';

/**
 * Runs `work` with a separate connection outside any pool, and closes it afterwards.
 * @throws the error of `work`; a lost connection fails the next statement
 */
export async function withClient<T>(
  options: Pick<PoolOptions, 'url' | 'applicationName'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connectionSettings(options));
  // Without a listener a connection lost between two statements would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
