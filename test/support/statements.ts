import { inTransactionOnce } from '@healthd/daemon/platform/database';
import type pg from 'pg';

/**
 * Runs `work` in a separate transaction.
 * @returns the texts of the transaction's statements in their order, from `begin`. If the transaction waited for a
 * thread and started over, returns only the last attempt's statements.
 */
export async function statementsOf(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<unknown>,
): Promise<string[]> {
  let texts: string[] = [];
  await inTransactionOnce(pool, async (client) => {
    texts = ['begin'];
    const query = client.query.bind(client) as (...input: unknown[]) => unknown;
    Object.assign(client, {
      query: (...input: [string | { text?: string }, ...unknown[]]) => {
        texts.push(typeof input[0] === 'string' ? input[0] : (input[0].text ?? ''));
        return query(...input);
      },
    });
    try {
      await work(client);
    } finally {
      // Restores the prototype's method.
      delete (client as { query?: unknown }).query;
    }
  });
  return texts;
}
