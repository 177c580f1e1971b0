import type pg from 'pg';

/** The texts of all statements that a piece of work sends in a transaction of its own, in their order. */
export async function statementsOf(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<unknown>,
): Promise<string[]> {
  const client = await pool.connect();
  const texts: string[] = [];
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  Object.assign(client, {
    query: (...given: [string | { text?: string }, ...unknown[]]) => {
      texts.push(typeof given[0] === 'string' ? given[0] : (given[0].text ?? ''));
      return query(...given);
    },
  });
  await client.query('begin');
  await work(client);
  await client.query('commit');
  client.release(true);
  return texts;
}
