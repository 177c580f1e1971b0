import type pg from 'pg';

/** The exclusive right to do a task, held by at most one process. Ends with the process, even after a crash. */
export interface Claim {
  /** Safe to call twice. */
  release(): Promise<void>;
}

/**
 * Claims the named task; undefined while another process holds the claim. Occupies a pool connection until released.
 */
export async function claim(pool: pg.Pool, name: string): Promise<Claim | undefined> {
  const client = await pool.connect();
  let released: Promise<void> | undefined;
  const release = () => {
    released ??= client.query('select pg_advisory_unlock_all()').then(
      () => client.release(),
      (error: Error) => client.release(error),
    );
    return released;
  };
  try {
    const { rows } = await client.query<{ granted: boolean }>('select pg_try_advisory_lock(hashtext($1)) as granted', [
      `healthd/${name}`,
    ]);
    if (rows[0]?.granted) return { release };
  } catch (error) {
    await release();
    throw error;
  }
  await release();
  return undefined;
}
