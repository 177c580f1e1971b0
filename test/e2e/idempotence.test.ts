import { join } from 'node:path';
import { writeExport } from '@healthd/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Daemon, inDatabase, newHome, startDaemon } from '../support/daemon.js';
import { storedRows } from '../support/stored-rows.js';
import { importFile, newUser } from './imports.js';

const home = newHome();
// Daylight saving time starts on March 29th, near the start of the part that only the longer file contains.
const whole = { endDate: '2026-04-04', days: 30, density: 'normal' } as const;
const first20 = { ...whole, endDate: '2026-03-25', days: 20 };
const paths = { whole: join(home.folder, 'whole.zip'), first20: join(home.folder, 'first.xml.gz') };
let daemon: Daemon;

beforeAll(async () => {
  await writeExport(paths.whole, whole);
  await writeExport(paths.first20, first20);
  daemon = await startDaemon({ home });
});
afterAll(() => daemon?.stop());

describe('importing the same file again', () => {
  it('touches no row', async () => {
    const user = await newUser(daemon);
    const first = await importFile(daemon, user, paths.whole);
    const before = await rowVersions(user);
    const second = await importFile(daemon, user, paths.whole);
    for (const [collection, counts] of Object.entries(second.stored)) {
      expect({ collection, ...counts }).toMatchObject({ collection, inserted: 0, updated: 0 });
    }
    expect(second.stored.samples?.unchanged).toBe(first.stored.samples?.inserted);
    expect(second.stored.samples?.unchanged).toBeGreaterThan(10_000);
    expect(await rowVersions(user)).toEqual(before);
  });
});

describe('importing overlapping exports', () => {
  it('stores the rows of the complete export in any order', async () => {
    const once = await newUser(daemon);
    await importFile(daemon, once, paths.whole);
    const expected = await rowsOf(once);
    expect(expected.sample?.rows).toBeGreaterThan(10_000);

    const growing = await newUser(daemon);
    await importFile(daemon, growing, paths.first20);
    expect(await rowsOf(growing)).not.toEqual(expected);
    await importFile(daemon, growing, paths.whole);
    expect(await rowsOf(growing)).toEqual(expected);

    const shrinking = await newUser(daemon);
    for (const path of [paths.whole, paths.first20]) await importFile(daemon, shrinking, path);
    expect(await rowsOf(shrinking)).toEqual(expected);
  });
});

function rowsOf(user: string) {
  return inDatabase(home, (pool) => storedRows(pool, user));
}

/** Returns each row's physical position and writing transaction. Both change when a row is rewritten. */
function rowVersions(user: string): Promise<Record<string, string>> {
  return inDatabase(home, async (pool) => {
    const versions: Record<string, string> = {};
    for (const table of [
      'sample',
      'sleep_stage',
      'sleep_session',
      'workout',
      'day_value',
      'day_minutes',
      'night_value',
    ]) {
      const { rows } = await pool.query<{ versions: string }>(
        `select md5(string_agg(tableoid || ' ' || ctid::text || ' ' || xmin::text, ',' order by tableoid, ctid)) as versions
         from ${table} where user_key = (select user_key from health_user where id = $1)`,
        [user],
      );
      versions[table] = rows[0]?.versions ?? '';
    }
    return versions;
  });
}
