import type pg from 'pg';
import { executedMigrations, recordInstead, together } from '../migration-record.js';
import { areas, type Migration, migrations } from './index.js';
import { schemaLines } from './schema-lines.js';

/** Version whose schema equals {@link areas}. Only databases and backups of this version are adopted. */
const LAST_RELEASE = '0.2.0';

/** Names of the migrations of the last release. */
const OF_LAST_RELEASE = [
  '2026-11-24_01_accounts',
  '2026-11-24_02_users',
  '2026-11-24_03_sources',
  '2026-11-24_04_samples',
  '2026-11-24_05_sessions',
  '2026-11-24_06_runs',
  '2026-11-24_07_connections',
  '2026-11-24_08_push',
  '2026-11-24_09_archival',
  '2026-11-24_10_audit',
  '2026-11-24_11_repairs',
  '2026-11-24_12_vault',
  '2026-11-24_20_notified_items',
  '2026-11-24_30_compared_sources',
  '2026-11-24_40_connect_links',
  '2026-11-24_60_request_counts',
  '2026-11-24_70_open_trouble',
  '2026-11-24_80_deliveries',
  '2026-11-24_90_delivery_indexes',
  '2026-11-24_95_waiting_shares',
  '2026-11-24_97_exclusive_items',
  '2026-11-24_98_old_deliveries',
  '2026-11-24_99_connection_order',
  '2026-11-25_10_given_secrets',
  '2026-11-25_20_lists_of_all_users',
  '2026-11-25_30_service_activity',
  '2026-11-25_40_delivery_retries',
  '2026-11-26_10_delivered_portions',
  '2026-11-26_20_erasure_receipts',
  '2026-11-26_30_list_filters',
  '2026-11-26_40_key_successors',
  '2026-11-26_50_awaited_items',
  '2026-11-27_20_vendor_accounts',
  '2026-11-27_21_pushed_rows',
  '2026-11-27_30_consent_browsers',
  '2026-11-27_40_notification_times',
  '2026-11-27_41_delivery_erasures',
  '2026-11-27_60_polar_scores',
  '2026-11-27_95_night_sources',
  '2026-11-27_96_priority_seeds',
  '2026-11-27_97_archived_maximum',
  '2026-11-27_98_changed_profiles',
  '2026-11-28_31_merged_accounts',
  '2026-11-28_32_archived_night_sources',
  '2026-11-28_50_provider_terms',
  '2026-11-28_60_unproven_accounts',
];

/** Thrown if the database or backup is older than the last release. */
export class SchemaTooOldError extends Error {
  override readonly name = 'SchemaTooOldError';
  readonly code = 'schema_too_old';

  constructor(what: 'database' | 'backup') {
    super(
      what === 'database'
        ? `The database is older than healthd ${LAST_RELEASE}. Upgrade to ${LAST_RELEASE} first: start it once with this database.`
        : `The backup is older than healthd ${LAST_RELEASE}. Upgrade to ${LAST_RELEASE} first: restore it with that version, and make a new backup.`,
    );
  }
}

/** Thrown if the tables of the database differ from the last release, although it has the same migrations. */
export class SchemaChangedError extends Error {
  override readonly name = 'SchemaChangedError';
  readonly code = 'schema_changed';

  constructor(missing: readonly string[], unknown: readonly string[]) {
    const some = [...missing.map((line) => `missing: ${line}`), ...unknown.map((line) => `not ours: ${line}`)];
    const more = some.length > SHOWN ? ` and ${some.length - SHOWN} more` : '';
    super(
      `The database schema differs from healthd ${LAST_RELEASE}. Undo the changes, then start again. ` +
        `${some.slice(0, SHOWN).join('; ')}${more}`,
    );
  }
}

const SHOWN = 3;

/**
 * Records the area migrations in a database of the last release, instead of running them. Does nothing for a database
 * without migrations or with any area migration.
 * @throws SchemaTooOldError
 * @throws SchemaChangedError
 */
export async function adoptLastRelease(client: pg.Client): Promise<void> {
  const executed = await executedMigrations(client);
  const state = stateOf(executed);
  if (state === 'older') throw new SchemaTooOldError('database');
  if (state !== 'last_release') return;
  await together(client, async () => {
    const { missing, unknown } = await differences(client);
    if (missing.length + unknown.length > 0) throw new SchemaChangedError(missing, unknown);
    await recordInstead(client, areas);
  });
}

/**
 * Returns the migrations that create the schema of another database, such as the source of a backup.
 * @param names its recorded migrations
 * @returns undefined if a newer healthd created it
 * @throws SchemaTooOldError
 */
export function migrationsTo(names: readonly string[]): readonly Migration[] | undefined {
  const state = stateOf(names);
  if (state === 'older') throw new SchemaTooOldError('backup');
  if (state === 'newer') return undefined;
  return state === 'last_release' ? areas : migrations.filter(({ name }) => names.includes(name));
}

function stateOf(names: readonly string[]): 'known' | 'last_release' | 'older' | 'newer' {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length === 0) return 'known';
  const last = new Set(OF_LAST_RELEASE);
  if (unknown.some((name) => !last.has(name) && name > (OF_LAST_RELEASE[0] as string))) return 'newer';
  return names.length === last.size && unknown.length === last.size ? 'last_release' : 'older';
}

/** Compares the schema with a new one, which it creates and drops again. */
async function differences(client: pg.Client): Promise<{ missing: string[]; unknown: string[] }> {
  const { rows } = await client.query<{ name: string }>('select current_schema() as name');
  const current = rows[0]?.name as string;
  await client.query(`create schema ${NEW}`);
  await client.query(`set local search_path to ${NEW}`);
  for (const { sql } of areas) await client.query(sql);
  const expected = await schemaLines(client, NEW);
  await client.query(`set local search_path to ${current}`);
  await client.query(`drop schema ${NEW} cascade`);
  const tables = new Set(expected.map(({ of }) => of));
  // Ignores tables of other programs, such as Agenda's.
  const found = (await schemaLines(client, current)).filter(({ of }) => tables.has(of));
  const lines = (some: typeof found) => new Set(some.map(({ line }) => line));
  const [inNew, here] = [lines(expected), lines(found)];
  return {
    missing: [...inNew].filter((line) => !here.has(line)),
    unknown: [...here].filter((line) => !inNew.has(line)),
  };
}

const NEW = 'healthd_new_schema';
