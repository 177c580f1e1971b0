import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/postgres.js';
import { readSources, type SourceFile, sourceFile } from './sources.js';
import { NAMED_AT_RUN_TIME, TABLE_WRITERS } from './table-writers.js';

const ROOT = 'daemon/src/';
const LEFT_OUT = ['daemon/src/platform/database/migrations/', 'daemon/src/backup/'];

/** Source text that writes a table: SQL, or the definition of a Sequelize model, whose methods write. */
const WRITES = [
  /\b(?:insert\s+into|delete\s+from|truncate(?:\s+table)?|copy)\s+(?:only\s+)?([a-z_]+|\$\{)/gi,
  /\bupdate\s+(?:only\s+)?([a-z_]+|\$\{[^}]*\}?)(?:\s+(?:as\s+)?[a-z_]+)?\s+set\b/gi,
  /\btableName:\s*'([a-z_]+)'/g,
];

/** Placeholder for a table name that exists only at run time. */
const UNNAMED = 'a table named at run time';

interface TableWrite {
  path: string;
  table: string;
}

function writesOf(sources: readonly SourceFile[]): TableWrite[] {
  return sources
    .filter(({ path }) => !LEFT_OUT.some((folder) => path.startsWith(folder)))
    .flatMap(({ path, code }) =>
      WRITES.flatMap((pattern) => [...code.matchAll(pattern)].map(([, table = '']) => ({ path, table }))),
    )
    .map(({ path, table }) => ({ path, table: table.startsWith('$') ? UNNAMED : table }));
}

function isIn(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(`${ROOT}${folder}/`));
}

/**
 * Returns writes by folders that the table of writers does not list. Skips names that are not tables of the schema,
 * such as query names or prose.
 */
function foreignWrites(sources: readonly SourceFile[]): string[] {
  const foreign = writesOf(sources).filter(({ path, table }) => {
    if (table === UNNAMED) return !isIn(path, Object.keys(NAMED_AT_RUN_TIME));
    const folder = TABLE_WRITERS[table];
    return folder !== undefined && !isIn(path, [folder]);
  });
  return [...new Set(foreign.map(({ path, table }) => `${path} writes ${table}`))];
}

test('writes a table only from its listed folder', async () => {
  expect(foreignWrites(await readSources('daemon/src'))).toEqual([]);
});

test('lists only folders that write their tables', async () => {
  const writes = writesOf(await readSources('daemon/src'));
  const unused = Object.entries(TABLE_WRITERS)
    .filter(([table, folder]) => !writes.some((write) => write.table === table && isIn(write.path, [folder])))
    // A statement with a table name from a value counts as a write of each possible table.
    .filter(
      ([, folder]) =>
        !Object.keys(NAMED_AT_RUN_TIME).some((named) => named === folder || named.startsWith(`${folder}/`)),
    )
    .map(([table, folder]) => `${folder} does not write ${table}`);
  expect(unused).toEqual([]);
});

test('lists a folder for every table of the schema', async () => {
  const database = await createTestDatabase();
  const { rows } = await database.pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  await database.drop();
  const names = rows.map(({ name }) => name).filter((name) => name !== 'agenda_jobs');
  expect(names).toEqual(Object.keys(TABLE_WRITERS).sort());
});

test.each([
  ['insert into connection (user_key) values ($1)', 'connection'],
  ['update sync_run r set stage = $2 where run_id = $1', 'sync_run'],
  ['with gone as (delete from sync_event where seq = $1) select', 'sync_event'],
  ["sequelize.define('x', {}, { tableName: 'audit_event' })", 'audit_event'],
])('finds a statement outside the folder that owns the table: %s', (statement, table) => {
  const planted = sourceFile('daemon/src/query/planted.ts', `export const planted = \`${statement}\`;\n`);
  expect(foreignWrites([planted])).toEqual([`daemon/src/query/planted.ts writes ${table}`]);
});

test('finds a write to a table that is named at run time', () => {
  const planted = sourceFile(
    'daemon/src/query/planted.ts',
    ['const sql = `delete from $', '{table} where user_key = $1`;\n'].join(''),
  );
  expect(foreignWrites([planted])).toEqual(['daemon/src/query/planted.ts writes a table named at run time']);
});
