import type pg from 'pg';

/** Work that one process at a time does. It ends with the process, however that ends. */
export interface Claim {
  /** Safe to call twice. */
  release(): Promise<void>;
}

/** Takes the work of this name, or nothing while another process has it. Keeps a connection of the pool until released. */
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
