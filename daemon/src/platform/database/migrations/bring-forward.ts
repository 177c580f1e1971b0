import type pg from 'pg';
import { applyMigration, executedMigrations, rewriteRecord } from '../migration-record.js';
import { areas, type Migration, migrations } from './index.js';

/**
 * Brings a database of the superseded migrations to their end, where the present ones begin, and has it say that it had
 * these. A database that has nothing yet, had one of `known`, or was migrated by a newer healthd, stays as it is.
 * @returns the names of the superseded migrations that ran
 */
export async function bringForward(client: pg.Client, known: ReadonlySet<string>): Promise<string[]> {
  const executed = new Set(await executedMigrations(client));
  if (executed.size === 0 || [...executed].some((name) => known.has(name))) return [];
  const superseded = await supersededMigrations();
  if (!includesAll(superseded, executed)) return [];
  const lacking = superseded.filter(({ name }) => !executed.has(name));
  for (const step of lacking) await applyMigration(client, step);
  await rewriteRecord(client, areas);
  return lacking.map(({ name }) => name);
}

/**
 * The migrations that bring a new database to the state of one that had these, such as the source of a backup.
 * @returns undefined when a newer healthd knows more of them
 */
export async function migrationsTo(names: readonly string[]): Promise<readonly Migration[] | undefined> {
  const executed = new Set(names);
  if (includesAll(migrations, executed)) return migrations.filter(({ name }) => executed.has(name));
  const superseded = await supersededMigrations();
  if (!includesAll(superseded, executed)) return undefined;
  const isAtTheirEnd = superseded.every(({ name }) => executed.has(name));
  return isAtTheirEnd ? areas : superseded.filter(({ name }) => executed.has(name));
}

function includesAll(steps: readonly Migration[], names: ReadonlySet<string>): boolean {
  const known = new Set(steps.map(({ name }) => name));
  return [...names].every((name) => known.has(name));
}

/** Loaded where they are needed: almost no start needs them. */
async function supersededMigrations(): Promise<readonly Migration[]> {
  return (await import('./superseded/index.js')).superseded;
}
