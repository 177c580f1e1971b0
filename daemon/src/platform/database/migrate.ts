import type pg from 'pg';
import { executedMigrations, recordMigration, together } from './migration-record.js';
import { adoptLastRelease } from './migrations/adopt.js';
import { type Migration, migrations as ownMigrations } from './migrations/index.js';
import { withClient } from './with-client.js';

/** Thrown if the database has unknown migrations, because a newer healthd used it. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
  readonly code = 'schema_too_new';

  constructor(readonly unknown: string[]) {
    super('The database was migrated by a newer healthd. Start that version, or restore a backup made by this one.');
  }
}

/** Advisory lock for daemons that start concurrently. The number is random. */
const LOCK_KEY = 7_305_218_194;

/**
 * Migrates the schema and returns the names of the migrations that ran.
 * @throws SchemaTooNewError
 * @throws SchemaTooOldError
 * @throws SchemaChangedError
 */
export async function migrate(url: string, migrations: readonly Migration[] = ownMigrations): Promise<string[]> {
  return withClient({ url, applicationName: 'healthd migrate' }, async (client) => {
    // The lock ends with the session.
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    await client.query(
      'create table if not exists schema_migration (name text primary key, applied_at timestamptz not null default now())',
    );
    const known = new Set(migrations.map(({ name }) => name));
    await adoptLastRelease(client);
    const executed = await executedMigrations(client);
    const unknown = executed.filter((name) => !known.has(name));
    if (unknown.length > 0) throw new SchemaTooNewError(unknown);
    const pending = migrations.filter(({ name }) => !executed.includes(name));
    if (pending.length === 0) return [];
    // Loading Umzug takes a twentieth of the startup time, and most starts have no pending migration.
    const { Umzug } = await import('umzug');
    const umzug = new Umzug({
      migrations: migrations.map(({ name, sql }) => ({ name, up: () => client.query(sql) })),
      storage: {
        executed: () => executedMigrations(client),
        logMigration: ({ name }) => recordMigration(client, name),
        unlogMigration: async () => {
          throw new Error('migrations cannot be reverted');
        },
      },
      logger: undefined,
    });
    // Runs each migration in its own transaction: after a crash it must be both done and recorded, or neither.
    for (const { name } of pending) await together(client, () => umzug.up({ migrations: [name] }));
    return pending.map(({ name }) => name);
  });
}

/** Returns the pending migrations; empty if the schema is up to date. */
export async function pendingMigrations(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ present: boolean }>(
    "select to_regclass('schema_migration') is not null as present",
  );
  const executed = new Set(rows[0]?.present ? await executedMigrations(pool) : []);
  return ownMigrations.map(({ name }) => name).filter((name) => !executed.has(name));
}
