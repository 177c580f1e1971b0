import type pg from 'pg';
import type { Migration } from './migrations/index.js';

/** Returns the names of a database's migrations in order. */
export async function executedMigrations(database: pg.Client | pg.Pool): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>('select name from schema_migration order by name');
  return rows.map(({ name }) => name);
}

export async function recordMigration(client: pg.Client, name: string): Promise<void> {
  await client.query('insert into schema_migration (name) values ($1)', [name]);
}

/**
 * Replaces the recorded migrations of a database. The new records get the time of the last old record. Requires a
 * transaction.
 */
export async function recordInstead(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await client.query(
    `with gone as (delete from schema_migration returning applied_at)
     insert into schema_migration (name, applied_at) select name, (select max(applied_at) from gone) from unnest($1::text[]) as name`,
    [migrations.map(({ name }) => name)],
  );
}

/** Runs the work in one transaction. */
export async function together(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
