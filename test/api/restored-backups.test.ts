import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { snapshotThenFollow } from '@healthd/client/feed';
import { restoreBackup, writeBackup } from '@healthd/daemon/backup';
import { PriorityStore } from '@healthd/daemon/priorities';
import { archiveOldData } from '@healthd/daemon/retention';
import { batchOf, MS_PER_DAY } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { apiOf, MemoryCopy, verify } from '../faults/memory-copy.js';
import { ADMIN, SHORT_TIMING, startComposed } from '../support/composed.js';
import { extent, propertyRuns } from '../support/extent.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { RANDOM_START, randomRecord, randomRemoval } from '../support/random-records.js';
import { samplesEvery } from '../support/records.js';
import { newUser, writeRecords } from '../support/recorded-user.js';
import { SecretWatch } from '../support/secret-watch.js';
import { type Call, caller } from '../support/service.js';

const folder = mkdtempSync(join(tmpdir(), 'healthd-restored-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KEYS = { SECRET_KEY: 'secret', ENCRYPTION_KEY: 'encryption', SIGNING_KEY: 'signing' };
const LEDGER_KEY = 'k'.repeat(43);
const EXPORT = `<?xml version="1.0"?><HealthData locale="en_PL"><Record type="HKQuantityTypeIdentifierStepCount"
 sourceName="Phone" unit="count" startDate="2026-03-05 08:00:00 +0100" endDate="2026-03-05 08:01:00 +0100"
 value="10"/></HealthData>`;

const PUSH = {
  provider: 'samsung',
  sdkVersion: '1.0.0',
  syncTimestamp: '2026-04-08T12:00:00Z',
  data: {
    records: [
      {
        id: 'later',
        type: 'STEP_COUNT',
        startDate: '2026-04-08T08:00:00Z',
        endDate: '2026-04-08T08:10:00Z',
        zoneOffset: '+02:00',
        value: 120,
        unit: 'count',
      },
    ],
  },
};

const user = fc.record({
  records: fc.array(fc.oneof({ arbitrary: randomRecord, weight: 12 }, randomRemoval), { minLength: 1, maxLength: 40 }),
  timeZone: fc.constantFrom(null, 'America/St_Johns', 'Pacific/Kiritimati'),
  name: fc.constantFrom('\\N', '\\.', 'back\\slash "quoted"', 'żółw'),
  isErased: fc.boolean(),
  waits: fc.boolean(),
});
const life = fc.record({
  // The first user is never erased, so that writes after the restore also reach a restored user.
  people: fc
    .tuple(fc.array(user, { minLength: 1, maxLength: 3 }), user)
    .map(([all, last]) => [{ ...last, isErased: false }, ...all]),
  archiveAfterDays: fc.constantFrom(null, 1, 2, 90),
  granularity: fc.constantFrom('raw', 'hourly', 'daily'),
  providers: fc.shuffledSubarray(['apple', 'polar', 'oura', 'garmin'], { minLength: 1 }),
});

type Lived = typeof life extends fc.Arbitrary<infer Life> ? Life : never;

it(
  'restores a writable copy equal to the original without erased users',
  async () => {
    await fc.assert(
      fc.asyncProperty(life, async (lived) => {
        const original = await createTestDatabase({ maxConnections: 6 });
        const restored = await createTestDatabase({ maxConnections: 6 });
        const place = mkdtempSync(join(folder, 'run-'));
        try {
          await checkRestore(lived, original, restored, place);
        } finally {
          await original.drop();
          await restored.drop();
        }
      }),
      { numRuns: propertyRuns(3, 40), endOnFailure: true },
    );
  },
  extent(300_000, 3_000_000),
);

it('includes waiting deliveries and concurrent erasures in a backup', async () => {
  const original = await createTestDatabase({ maxConnections: 3 });
  const restored = await createTestDatabase({ maxConnections: 3 });
  const place = mkdtempSync(join(folder, 'run-'));
  const spoolDir = join(place, 'spool');
  mkdirSync(spoolDir);
  writeFileSync(join(spoolDir, 'waiting'), 'delivered');
  try {
    const { id } = await newUser(original);
    await original.pool.query(
      `insert into webhook_delivery (id, provider, spool_name, byte_size, sha256, state)
       values (gen_random_uuid(), 'garmin', 'waiting', 9, '', 'received'), (gen_random_uuid(), 'garmin', 'read', 9, '', 'done')`,
    );
    const path = join(place, 'backup.healthd');
    const client = await original.pool.connect();
    let ledger = '';
    await writeBackup({
      client,
      keys: KEYS,
      spoolDir,
      isSandbox: false,
      path,
      // The user is erased after the snapshot, so the rows still contain the user.
      onProgress: () => {
        ledger = ledgerLine(id);
      },
      erasures: async () => ledger,
    });
    client.release();
    const spoolAfter = join(place, 'restored-spool');
    await restoreBackup({ path, url: restored.url, spoolDir: spoolAfter, erasures: [] });
    const { rows } = await restored.pool.query<{ key: string }>('select key from pending_erasure');
    expect(rows).toEqual([{ key: LEDGER_KEY }]);
    expect(filesOf(spoolAfter)).toEqual(filesOf(spoolDir));
  } finally {
    await original.drop();
    await restored.drop();
  }
});

it('forces a following client to copy the restored data again', async () => {
  const original = await createTestDatabase({ maxConnections: 6 });
  const restored = await createTestDatabase({ maxConnections: 6 });
  const path = join(mkdtempSync(join(folder, 'run-')), 'backup.healthd');
  let service: Awaited<ReturnType<typeof startComposed>> | undefined = await startComposed({
    databaseUrl: original.url,
  });
  const stop = new AbortController();
  let following: Promise<void> | undefined;
  try {
    const headers = { [service.apiKeyHeader]: service.firstAccount?.apiKey ?? '' };
    const call = caller({ url: service.url, watch: new SecretWatch() }, headers);
    const kept: string = (await call('POST', '/api/v1/users', {})).body.id;
    const write = async (userId: string, day: string) => {
      const found = await service?.parts.users.find(userId);
      await service?.parts.writer.write(found?.userKey ?? 0, batchOf(samplesEvery('heart_rate', day, 1, [60, 61])));
    };
    await write(kept, '2026-03-01T08:00:00Z');
    const client = await original.pool.connect();
    await writeBackup({ client, keys: KEYS, spoolDir: folder, isSandbox: false, path, erasures: async () => '' });
    client.release();
    const later: string = (await call('POST', '/api/v1/users', {})).body.id;
    await write(kept, '2026-03-02T08:00:00Z');

    const statuses = new Set<number>();
    const api = apiOf(() => service?.url, headers);
    const copy = new MemoryCopy();
    const watched: typeof api = {
      ...api,
      listChanges: (input) =>
        api.listChanges(input).catch((error) => {
          statuses.add(error.status);
          throw error;
        }),
    };
    following = snapshotThenFollow(watched, copy, { waitSeconds: 10, signal: stop.signal });
    const daysOf = (userId: string) =>
      copy.users
        .get(userId)
        ?.rows.map(({ day }) => day.slice(-2))
        .join(' ');
    await expect.poll(() => [daysOf(kept), daysOf(later)], { timeout: 20_000 }).toEqual(['01 01 02 02', '']);

    await service.stop();
    service = undefined;
    await restoreBackup({ path, url: restored.url, spoolDir: join(folder, 'followed'), erasures: [] });
    service = await startComposed({ databaseUrl: restored.url });
    await write(kept, '2026-03-03T08:00:00Z');
    await expect.poll(() => [daysOf(kept), daysOf(later)], { timeout: 30_000 }).toEqual(['01 01 03 03', undefined]);
    expect(statuses).toContain(410);
    expect(await verify(api, copy, kept)).toEqual({ state: 'equal', differences: [] });
  } finally {
    stop.abort();
    await following?.catch(() => undefined);
    await service?.stop();
    await original.drop();
    await restored.drop();
  }
}, 120_000);

async function checkRestore(
  lived: Lived,
  original: TestDatabase,
  restored: TestDatabase,
  place: string,
): Promise<void> {
  const spoolDir = join(place, 'spool');
  const { apiKey, ids } = await live(lived, original, spoolDir);
  const erased = ids.filter((_, index) => lived.people[index]?.isErased);
  // The ledger also names a user who was erased before the backup.
  const ledger = [...erased, randomUUID()].map(ledgerLine);
  const before = await tableSums(original);
  expect(Object.values(before).filter((sum) => !sum.startsWith('0 ')).length).toBeGreaterThan(15);

  const path = join(place, 'backup.healthd');
  const client = await original.pool.connect();
  await writeBackup({
    client,
    keys: KEYS,
    spoolDir,
    isSandbox: false,
    path,
    erasures: async () => ledger.join(''),
  });
  client.release();
  const spoolAfter = join(place, 'restored-spool');
  const { keys } = await restoreBackup({ path, url: restored.url, spoolDir: spoolAfter, erasures: [] });
  expect(keys).toEqual(KEYS);
  const { pending_erasure: _, feed_state: newEpoch, change: entries, ...after } = await tableSums(restored);
  const { feed_state: oldEpoch, change: _entries, ...expected } = before;
  expect(after).toEqual(expected);
  // A restore starts a new epoch of the feed, without the old epoch's entries.
  expect(entries).toBe('0 ');
  expect(newEpoch).not.toBe(oldEpoch);
  expect(filesOf(spoolAfter)).toEqual(filesOf(spoolDir));
  expect(await usedIdentities(restored)).toEqual([]);

  const service = await startComposed({
    databaseUrl: restored.url,
    role: 'all',
    env: { SPOOL_DIR: spoolAfter },
    settings: { jobConcurrency: 4 },
    overrides: { jobTiming: SHORT_TIMING },
  });
  try {
    const call = caller({ url: service.url, watch: new SecretWatch() }, { [service.apiKeyHeader]: apiKey });
    const { rows } = await restored.pool.query<{ id: string }>('select id from health_user order by id');
    expect(rows.map(({ id }) => id)).toEqual(ids.filter((id) => !erased.includes(id)).sort());
    expect(await rowsWithoutUser(restored)).toEqual([]);
    const { rows: recorded } = await restored.pool.query<{ hash: string }>('select hash from erasure');
    expect(recorded.map(({ hash }) => hash)).toEqual(
      expect.arrayContaining(ledger.map((line) => JSON.parse(line).hash)),
    );
    const { access_token: token } = await service.parts.accounts.sessions.login({
      email: ADMIN.adminEmail,
      password: ADMIN.adminPassword,
      address: undefined,
    });
    const developer = caller({ url: service.url, watch: new SecretWatch() }, { Authorization: `Bearer ${token}` });
    expect((await developer('POST', '/api/v1/developer/api-keys', { name: 'later' })).status).toBe(201);
    const added = await call('POST', '/api/v1/users', {});
    expect(added.status).toBe(201);
    for (const userId of [added.body.id, ids[0]]) {
      const pushed = await call('POST', `/api/v1/sdk/users/${userId}/sync`, PUSH);
      expect(pushed.status).toBe(202);
      const uploaded = await upload(service.url, { [service.apiKeyHeader]: apiKey }, userId);
      for (const runId of [pushed.body.batch_id, uploaded]) {
        await expect
          .poll(async () => (await call('GET', `/api/v1/sync/runs/${runId}`)).body.status, { timeout: 60_000 })
          .toBe('success');
      }
    }
  } finally {
    await service.stop();
  }
}

/** Creates the generated users and data in a service that accepts uploads without importing them. */
async function live(
  lived: Lived,
  original: TestDatabase,
  spoolDir: string,
): Promise<{ apiKey: string; ids: string[] }> {
  const { people, archiveAfterDays, granularity, providers } = lived;
  const service = await startComposed({ databaseUrl: original.url, env: { SPOOL_DIR: spoolDir } });
  const apiKey = service.firstAccount?.apiKey ?? '';
  const credentials = { [service.apiKeyHeader]: apiKey };
  const { access_token: token } = await service.parts.accounts.sessions.login({
    email: ADMIN.adminEmail,
    password: ADMIN.adminPassword,
    address: undefined,
  });
  const developer = caller({ url: service.url, watch: new SecretWatch() }, { Authorization: `Bearer ${token}` });
  const change = async (...[method, path, body]: Parameters<Call>) => {
    const { status } = await developer(method, path, body);
    expect(status, path).toBeLessThan(300);
  };
  const priorities = providers.map((provider, index) => ({ provider, priority: index + 1 }));
  await change('PUT', '/api/v1/priorities/providers', { priorities });
  await change('PUT', '/api/v1/oauth/providers/oura', { data_granularity: granularity });
  await change('PUT', '/api/v1/settings/archival', { archive_after_days: archiveAfterDays });
  const ids: string[] = [];
  for (const { records, timeZone, name, waits } of people) {
    const body = { first_name: name, time_zone: timeZone };
    const created = await caller({ url: service.url, watch: new SecretWatch() }, credentials)(
      'POST',
      '/api/v1/users',
      body,
    );
    expect(created.status).toBe(201);
    ids.push(created.body.id);
    const { rows } = await original.pool.query('select user_key from health_user where id = $1', [created.body.id]);
    for (let from = 0; from < records.length; from += 15) {
      await writeRecords(original, rows[0].user_key, records.slice(from, from + 15));
    }
    if (waits) await upload(service.url, credentials, created.body.id);
  }
  await service.stop();
  if (archiveAfterDays !== null) {
    await archiveOldData({
      pool: original.pool,
      priorities: new PriorityStore(original.pool),
      settings: { archiveAfterDays, deleteAfterDays: null },
      nowMs: RANDOM_START + 4 * MS_PER_DAY,
      log: { error: (fields) => expect.fail(JSON.stringify(fields)) },
    });
  }
  return { apiKey, ids };
}

/** @returns the run's ID */
async function upload(url: string, headers: Record<string, string>, userId: string): Promise<string> {
  const body = new FormData();
  body.set('file', new Blob([EXPORT]), 'export.xml');
  const path = `${url}/api/v1/users/${userId}/import/apple/xml/direct`;
  const response = await fetch(path, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  return ((await response.json()) as { run_id: string }).run_id;
}

function ledgerLine(userId: string): string {
  const hash = createHmac('sha256', Buffer.from(LEDGER_KEY, 'base64url')).update(userId).digest('base64url');
  return `${JSON.stringify({ erased_at: '2026-03-20T08:00:00.000Z', key: LEDGER_KEY, hash })}\n`;
}

/**
 * Returns the row count and checksum of every table of a database. Excludes the job store's tables, because the service
 * refills them with acknowledged work.
 */
async function tableSums({ pool }: TestDatabase): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'agenda\\_%' order by 1`,
  );
  const sums: Record<string, string> = {};
  for (const { name } of rows) {
    const { rows: found } = await pool.query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(r::text, e'\\n' order by r::text)), '') as sum from "${name}" r`,
    );
    sums[name] = found[0]?.sum ?? '';
  }
  return sums;
}

/** Returns the identity columns whose next number is not above the largest stored number. */
async function usedIdentities({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ table: string; column: string }>(
    `select attrelid::regclass::text as table, attname as column from pg_attribute join pg_class c on c.oid = attrelid
      where attidentity <> '' and relkind in ('r', 'p') and not relispartition`,
  );
  expect(rows.length).toBeGreaterThan(5);
  const taken: string[] = [];
  for (const { table, column } of rows) {
    const { rows: found } = await pool.query(
      `with next as (select nextval(pg_get_serial_sequence($1, $2)) as number)
       select number from next where number <= (select max("${column}") from ${table})`,
      [table, column],
    );
    if (found.length > 0) taken.push(`${table}.${column}`);
  }
  return taken;
}

/** Returns the tables with rows of users who do not exist. */
async function rowsWithoutUser({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'user_key'`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await pool.query(
      // The feed stores events of the service, such as an erasure, under the key 0.
      `select from "${name}" t where user_key <> 0
          and not exists (select from health_user u where u.user_key = t.user_key) limit 1`,
    );
    if (rowCount) found.push(name);
  }
  return found;
}

function filesOf(path: string): Record<string, string> {
  const names = existsSync(path) ? readdirSync(path).sort() : [];
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(path, name), 'base64')]));
}
