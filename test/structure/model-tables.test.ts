import { expect, test } from 'vitest';
import { readSources, type SourceFile, sourceFile } from './sources.js';

/** Tables that only Sequelize accesses, with the file of their model. */
const MODELS: Readonly<Record<string, string>> = {
  adopted_api_key: 'accounts/models.ts',
  api_key: 'accounts/models.ts',
  application: 'accounts/models.ts',
  developer: 'accounts/models.ts',
  developer_invitation: 'accounts/models.ts',
  unshown_first_account: 'accounts/models.ts',
  provider_setting: 'connections/providers/provider-setting-model.ts',
};

/** Files with SQL on these tables, with the reason why a model cannot be used. */
const EXCEPTIONS: Readonly<Record<string, { tables: readonly string[]; reason: string }>> = {
  'accounts/refresh-token.sql.ts': {
    tables: ['application', 'developer'],
    reason: 'one statement takes hold of the owner and opens the session, so that no session outlives its owner',
  },
  'accounts/unreadable-invitations.ts': {
    tables: ['developer_invitation'],
    reason: 'in the transaction that ends unreadable connections too, which are SQL',
  },
  'app/key-check.ts': {
    tables: ['developer_invitation'],
    reason: 'reads all sealed values in one statement, also before the schema is up to date',
  },
  'connections/providers/provider-setting-model.ts': {
    tables: ['provider_setting'],
    reason: 'in transactions that store or delete a vendor’s data, which are SQL',
  },
  'open-wearables/copy-accounts.ts': { tables: ['api_key'], reason: 'a table of another service' },
};

const ROOT = 'daemon/src/';
const LEFT_OUT = ['daemon/src/platform/database/migrations/', 'daemon/src/backup/'];
const NAMES = Object.keys(MODELS).join('|');

/** Source text of SQL that accesses one of the tables, even if the statement is a fragment. */
const SQL = [
  new RegExp(`\\b(?:from|join|into|update|truncate|table|using)\\s+(?:only\\s+)?(${NAMES})\\b`, 'gi'),
  new RegExp(`[,'"\`]\\s*(${NAMES})\\s+[a-z]+\\s+(?:where|join|on|for)\\b`, 'gi'),
];

function tablesInSql({ code }: SourceFile): string[] {
  const found = SQL.flatMap((pattern) => [...code.matchAll(pattern)].map(([, table = '']) => table));
  return [...new Set(found)].sort();
}

function statementsBesideModels(sources: readonly SourceFile[]): string[] {
  return sources
    .filter(({ path }) => !LEFT_OUT.some((folder) => path.startsWith(folder)))
    .flatMap((source) => {
      const allowed = EXCEPTIONS[source.path.slice(ROOT.length)]?.tables ?? [];
      return tablesInSql(source)
        .filter((table) => !allowed.includes(table))
        .map((table) => `${source.path} has SQL on ${table}`);
    });
}

/** Returns `table in file` for each model. */
function modelsOf(sources: readonly SourceFile[]): string[] {
  return sources.flatMap(({ path, code }) =>
    [...code.matchAll(/\btableName:\s*'([a-z_]+)'/g)].map(([, table]) => `${table} in ${path.slice(ROOT.length)}`),
  );
}

test('accesses Sequelize tables by SQL only in files with a reason', async () => {
  expect(statementsBesideModels(await readSources('daemon/src'))).toEqual([]);
});

test('has one model for each Sequelize table and no other models', async () => {
  const expected = Object.entries(MODELS).map(([table, file]) => `${table} in ${file}`);
  expect(modelsOf(await readSources('daemon/src')).sort()).toEqual(expected.sort());
});

test('lists only exceptions that still have SQL', async () => {
  const sources = await readSources('daemon/src');
  for (const [file, { tables }] of Object.entries(EXCEPTIONS)) {
    const source = sources.find(({ path }) => path === ROOT + file);
    expect(source && tablesInSql(source), file).toEqual([...tables]);
  }
});

test.each([
  ["await pool.query('select id from developer where login_name = $1', [name]);", 'developer'],
  ["await pool.query('insert into api_key (id) values ($1)', [id]);", 'api_key'],
  ["await pool.query('update application a set name = $2 where id = $1', [id, name]);", 'application'],
  ["await sequelize.query('delete from unshown_first_account');", 'unshown_first_account'],
  ['`select 1 from connection c\n  join provider_setting s using (provider)`', 'provider_setting'],
  ["const owner = 'health_user u, application a where a.app_id = $1';", 'application'],
])('finds a statement on a Sequelize table: %s', (statement, table) => {
  const planted = sourceFile('daemon/src/runs/planted.ts', `${statement}\n`);
  expect(statementsBesideModels([planted])).toEqual([`daemon/src/runs/planted.ts has SQL on ${table}`]);
});

test('finds an unlisted statement in a file with an exception', () => {
  const planted = sourceFile('daemon/src/app/key-check.ts', "await pool.query('select 1 from api_key');\n");
  expect(statementsBesideModels([planted])).toEqual(['daemon/src/app/key-check.ts has SQL on api_key']);
});

test('finds a model of a SQL-only table', () => {
  const planted = sourceFile('daemon/src/users/planted.ts', "init({}, { sequelize, tableName: 'health_user' });\n");
  expect(modelsOf([planted])).toEqual(['health_user in users/planted.ts']);
  expect(Object.keys(MODELS)).not.toContain('health_user');
});
