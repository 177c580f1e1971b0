import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { login } from '@healthd/contract';
import { zipBytes } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { type DaemonHome, inDatabase, killPostgres, newHome, runHealthd, startDaemon } from '../support/daemon.js';
import { zipEntries } from '../support/zip-entries.js';
import { newUser, upload } from './imports.js';

const home = newHome();
const before = join(home.folder, 'before.healthd');
const after = join(home.folder, 'after.healthd');
const ledgerOf = ({ dataDir }: DaemonHome) => join(dataDir, 'ledger', 'erasures.jsonl');
const record =
  '<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" creationDate="2026-01-05 08:01:00 +0100" startDate="2026-01-05 08:00:00 +0100" endDate="2026-01-05 08:01:00 +0100" value="10"/>';

/** Returns the users in a data directory's database. */
async function peopleIn(place: DaemonHome): Promise<string[]> {
  const daemon = await startDaemon({ home: place, args: ['--role', 'api'] });
  try {
    return await inDatabase(place, async (pool) => {
      const { rows } = await pool.query<{ id: string }>('select id from health_user order by id');
      return rows.map(({ id }) => id);
    });
  } finally {
    await daemon.stop();
  }
}

async function restored(place: DaemonHome, ...args: string[]): Promise<string> {
  const { email, password, apiKey } = home;
  Object.assign(place, { email, password, apiKey });
  const restore = await runHealthd(place, ['restore', ...args]);
  expect(restore, restore.stderr).toMatchObject({ code: 0 });
  return restore.stdout;
}

it('restores no erased user from a backup if a ledger exists', async () => {
  const daemon = await startDaemon({ home, args: ['--role', 'api'] });
  const erased = await newUser(daemon);
  const stays = await newUser(daemon);
  const file = join(home.folder, 'export.xml');
  writeFileSync(file, `<?xml version="1.0"?><HealthData locale="en_PL">${record}</HealthData>`);
  await upload(daemon, erased, file);
  expect(await runHealthd(home, ['backup', before])).toMatchObject({ code: 0 });
  expect(existsSync(ledgerOf(home))).toBe(false);
  const { access_token } = await daemon.client.call(login, {
    body: { username: daemon.email, password: daemon.password },
  });
  const headers = { Authorization: `Bearer ${access_token}` };
  expect((await fetch(`${daemon.url}/api/v1/users/${erased}`, { method: 'DELETE', headers })).status).toBe(200);
  // The kill immediately follows the erasure's response. A crash must not revert the erasure.
  await daemon.kill9();
  const ledger = readFileSync(ledgerOf(home), 'utf8');
  expect(ledger.trim().split('\n')).toHaveLength(1);
  expect(Object.keys(JSON.parse(ledger))).toEqual(['erased_at', 'key', 'hash']);
  expect(ledger).not.toContain(erased);
  expect(statSync(ledgerOf(home)).mode & 0o777).toBe(0o600);
  expect(await runHealthd(home, ['backup', after])).toMatchObject({ code: 0 });

  // Restores into another directory, with the newer ledger.
  const elsewhere = newHome();
  expect(await restored(elsewhere, before, '--erasures', ledgerOf(home))).toContain('Erased 1 user again');
  expect(readdirSync(join(elsewhere.dataDir, 'spool'))).toEqual([]);
  expect(await peopleIn(elsewhere)).toEqual([stays]);
  expect(readFileSync(ledgerOf(elsewhere), 'utf8')).toBe(ledger);

  // Restores into the same directory after its database is lost. The test kills Postgres, which would otherwise take up
  // to a minute to notice the loss.
  await killPostgres(home);
  rmSync(join(home.dataDir, 'postgres'), { recursive: true });
  await restored(home, before);
  expect(await peopleIn(home)).toEqual([stays]);

  // A newer backup includes its ledger. An older backup restored afterwards uses that ledger.
  const moved = newHome();
  await restored(moved, after);
  expect(readFileSync(ledgerOf(moved), 'utf8')).toBe(ledger);
  rmSync(join(moved.dataDir, 'postgres'), { recursive: true });
  expect(await restored(moved, before)).toContain('Erased 1 user again');
  expect(await peopleIn(moved)).toEqual([stays]);

  // A backup whose rows are older than its ledger, like one written during an erasure.
  const late = join(home.folder, 'late.healthd');
  const entries = await zipEntries(readFileSync(before));
  entries.set('erasures.jsonl', ledger);
  const files = [...entries].map(([name, content]) => ({ name, content: Buffer.from(content) }));
  writeFileSync(late, await buffer(zipBytes(files)));
  const written = newHome();
  expect(await restored(written, late)).toContain('Erased 1 user again');
  expect(await peopleIn(written)).toEqual([stays]);

  // A restore without any ledger cannot repeat the erasure.
  const unknowing = newHome();
  await restored(unknowing, before);
  expect(await peopleIn(unknowing)).toEqual([erased, stays].sort());
}, 400_000);

it.each([
  ['does not exist', undefined, /Cannot read/],
  ['is not a ledger', 'hello\n', /is not an erasure ledger/],
])('rejects a restore with a ledger that %s before restoring anything', async (_, content, message) => {
  const place = newHome();
  const path = join(place.folder, 'ledger.jsonl');
  const backup = join(place.folder, 'some.healthd');
  writeFileSync(backup, 'anything');
  if (content !== undefined) writeFileSync(path, content);
  const rejected = await runHealthd(place, ['restore', backup, '--erasures', path]);
  expect(rejected.code).toBe(1);
  expect(rejected.stderr).toMatch(message);
  expect(existsSync(place.dataDir) ? readdirSync(place.dataDir) : []).toEqual([]);
});
