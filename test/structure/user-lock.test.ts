import { expect, test } from 'vitest';
import { placesOf, readSources, type SourceFile, sourceFile } from './sources.js';

const HOME = 'daemon/src/platform/database/user-lock.ts';

/** Source text of a statement that locks rows of users for writing. Excludes shared locks, such as a foreign key's. */
const USER_LOCK = /\b(?:health_user|user_state)\b[^'"`;]*\bfor\s+(no\s+key\s+)?update\b(?!\s+of\b)/gi;

function locksElsewhere(sources: readonly SourceFile[]): string[] {
  return placesOf(
    sources.filter(({ path }) => path !== HOME),
    USER_LOCK,
  );
}

test('allows statements that lock a user only in user-lock.ts', async () => {
  const sources = await readSources('daemon/src');
  expect(sources.map(({ path }) => path)).toContain(HOME);
  expect(locksElsewhere(sources)).toEqual([]);
});

test.each([
  "await client.query('select 1 from user_state where user_key = $1 for no key update', [userKey]);",
  "await client.query('select 1 from health_user where user_key = $1 for update', [userKey]);",
  '`with free as (select user_key from user_state where user_key = $2\n   for no key update skip locked)`',
])('finds a user lock outside user-lock.ts: %s', (statement) => {
  const planted = sourceFile('daemon/src/runs/planted.ts', `\nexport const planted = ${statement}\n`);
  expect(locksElsewhere([planted])).toEqual(['daemon/src/runs/planted.ts:2']);
});

test('ignores references to a user and locks of other rows', () => {
  const planted = sourceFile(
    'daemon/src/runs/planted.ts',
    `// from health_user for update
     const shared = 'select 1 from health_user where id = $1 for key share';
     const other = 'select 1 from sync_run r join health_user u using (user_key) for update of r';`,
  );
  expect(locksElsewhere([planted])).toEqual([]);
});
