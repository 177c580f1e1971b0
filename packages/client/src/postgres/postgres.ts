/** A pool or client of the package `pg`, reduced to what this module uses. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[]; rowCount: number | null }>;
}

/** A client that one transaction uses exclusively. */
interface HeldClient extends PostgresClient {
  release(error?: boolean): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
}

/** A pool of the package `pg`. */
export interface PostgresPool extends PostgresClient {
  connect(): Promise<HeldClient>;
}

/**
 * Runs `work` in a transaction. Rolls back if `work` throws.
 * @param mode for example `isolation level repeatable read read only`
 */
export async function inTransaction<T>(
  pool: PostgresPool,
  work: (client: PostgresClient) => Promise<T>,
  mode = '',
): Promise<T> {
  const client = await pool.connect();
  let isBroken = false;
  // Handles a connection lost between two queries, which would otherwise end the process. The next query fails.
  const onError = () => {
    isBroken = true;
  };
  client.on('error', onError);
  try {
    await client.query(`begin ${mode}`);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(onError);
    throw error;
  } finally {
    client.off('error', onError);
    client.release(isBroken);
  }
}
