import { randomBytes } from 'node:crypto';
import { batchOf, fromDayNumber, type HealthRecord, MS_PER_DAY, MS_PER_HOUR, seriesTypeById } from '@healthd/model';
import { type Change, type DigestItem, ROW_KINDS, type RowKind } from '@healthd/schemas';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filed, joinAll, pushed } from '../../../test/support/app-days.js';
import { propertyRuns } from '../../../test/support/extent.js';
import {
  type CopiedRow,
  type DaysToReplace,
  differences,
  digestsOf,
  FeedCopy,
  snapshotOf,
} from '../../../test/support/feed-copy.js';
import { RANDOM_START, randomRecord, randomRemoval } from '../../../test/support/random-records.js';
import { openRecordFixture, type RecordFixture } from '../../../test/support/record-fixture.js';
import { inTransaction, lockUser, lockUserForErasure, onCommit, UserMissingError } from '../platform/database/index.js';
import { PriorityStore } from '../priorities/index.js';
import { archiveUser, expireUser } from '../store/archive/index.js';
import { createVault } from '../vault/index.js';
import { readDigest } from './digest.js';
import { setFeed } from './epoch.js';
import { eraseChanges, storeChanges } from './outbox.js';
import { readUserChanges } from './read-changes.js';
import { readSnapshot } from './snapshot.js';

const FIRST_DAY = RANDOM_START / MS_PER_DAY;
/** All days that random records can have. */
const RANGE = { from: fromDayNumber(FIRST_DAY - 5), to: fromDayNumber(FIRST_DAY + 12) };
const vault = createVault([randomBytes(32)]);

interface User {
  id: string;
  userKey: number;
}

let fixture: RecordFixture;

beforeAll(async () => {
  fixture = await openRecordFixture();
  await setFeed(fixture.pool, true);
  onCommit(fixture.pool, async (client) => {
    await storeChanges(client);
    return undefined;
  });
});

afterAll(() => fixture.close());

async function newUser(): Promise<User> {
  const userKey = await fixture.newUser();
  const { rows } = await fixture.pool.query<{ id: string }>('select id from health_user where user_key = $1', [
    userKey,
  ]);
  return { id: rows[0]?.id as string, userKey };
}

async function snapshot(user: User, days: Partial<DaysToReplace> = {}) {
  const { from, to, kind, type } = days;
  const query = {
    from,
    to,
    kinds: kind === undefined ? ROW_KINDS : [kind as RowKind],
    types: type === undefined ? undefined : [type],
    attribution: new Map(),
  };
  let text = '';
  for await (const part of await readSnapshot(fixture.pool, vault, user, query)) text += part;
  return snapshotOf(text);
}

async function digest(user: User) {
  return readDigest(fixture.pool, vault, user, RANGE);
}

/** Follows the feed from its oldest entry to its end. */
async function follow(user: User, copy: FeedCopy): Promise<void> {
  const items: Change[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await readUserChanges(fixture.pool, user.userKey, { cursor, kinds: undefined, limit: 100 });
    items.push(...page.items);
    if (!page.hasMore) break;
    cursor = page.cursor;
  }
  for (const change of items) await copy.apply(change, async (days) => (await snapshot(user, days)).rows);
}

async function setZone({ userKey }: User, zone: string): Promise<void> {
  await fixture.pool.query('update health_user set time_zone = $2 where user_key = $1', [userKey, zone]);
  for (let from: Date | undefined; ; ) {
    const { resumeAt } = await inTransaction(fixture.pool, (client) =>
      fixture.writer.redateItems(client, userKey, from),
    );
    if (!resumeAt) return;
    from = resumeAt;
  }
}

async function importFile({ userKey }: User, records: HealthRecord[]): Promise<void> {
  const file = await fixture.writer.openFile(userKey, {
    replaces: true,
    isDryRun: false,
    keepStored: false,
    runId: '00000000-0000-4000-8000-000000000001',
  });
  try {
    await file.write(batchOf(records));
    await file.removeMissing(RANDOM_START + 10 * MS_PER_DAY);
  } finally {
    file.close();
  }
}

async function deleteOneSession({ userKey }: User, table: 'sleep_session' | 'workout'): Promise<void> {
  const { rows } = await fixture.pool.query<{ id: string }>(
    `select id from ${table} where user_key = $1 order by start_at limit 1`,
    [userKey],
  );
  if (rows[0]) await fixture.writer.deleteSession(userKey, table, rows[0].id);
}

type Action =
  | { do: 'write' | 'import'; records: HealthRecord[] }
  | { do: 'archive' | 'expire'; days: number }
  | { do: 'delete'; provider: 'apple' | 'polar' }
  | { do: 'zone'; zone: string }
  | { do: 'session'; table: 'sleep_session' | 'workout' }
  | { do: 'copy' }
  | { do: 'join' }
  /** An app whose data arrives by file and by push, as two sources that a join finds. */
  | { do: 'app'; days: number[]; hasFileOffsets: boolean; isFileFirst: boolean }
  | { do: 'priority'; priority: number };

async function run(user: User, action: Action): Promise<void> {
  const { userKey } = user;
  if (action.do === 'write') await fixture.writer.write(userKey, batchOf(action.records));
  else if (action.do === 'import') await importFile(user, action.records.filter(isOfFile));
  else if (action.do === 'archive') {
    const beforeDay = FIRST_DAY + action.days;
    await archiveUser(fixture.pool, userKey, { beforeDay, compare: () => 0, deviceOrder: 0 });
  } else if (action.do === 'expire') {
    await expireUser(fixture.pool, userKey, { beforeDay: FIRST_DAY + action.days, audit: async () => {} });
  } else if (action.do === 'delete') await fixture.writer.deleteProvider(userKey, action.provider);
  else if (action.do === 'zone') await setZone(user, action.zone);
  else if (action.do === 'session') await deleteOneSession(user, action.table);
  else if (action.do === 'join') {
    joins += await joinAll(fixture, userKey);
  } else if (action.do === 'app') await writeApp(user, action);
  else if (action.do === 'priority') {
    await new PriorityStore(fixture.pool).providers.set([{ name: 'polar', priority: action.priority }]);
  }
}

/** Number of joined sources in all action sequences. */
let joins = 0;

async function writeApp(
  { userKey }: User,
  { days, hasFileOffsets, isFileFirst }: Action & { do: 'app' },
): Promise<void> {
  const file = hasFileOffsets ? filed(APP_DAYS) : filed(APP_DAYS).map(withoutOffset);
  const deliveries = [file, pushed(days)];
  for (const list of isFileFirst ? deliveries : deliveries.reverse()) {
    await fixture.writer.write(userKey, batchOf(list));
  }
}

/** Days of March. */
const APP_DAYS = [10, 11, 12, 13, 14];

function withoutOffset(record: HealthRecord): HealthRecord {
  return { ...record, offsetMinutes: undefined } as HealthRecord;
}

/** True if a file may contain the record. Files contain no deletions or replacements. */
function isOfFile({ kind }: HealthRecord): boolean {
  return kind !== 'deletion' && kind !== 'replacement';
}

const records = fc.array(fc.oneof({ arbitrary: randomRecord, weight: 5 }, { arbitrary: randomRemoval, weight: 1 }), {
  minLength: 1,
  maxLength: 25,
});
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: records.map((list) => ({ do: 'write' as const, records: list })) },
  { weight: 2, arbitrary: records.map((list) => ({ do: 'import' as const, records: list })) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }).map((days) => ({ do: 'archive' as const, days })) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }).map((days) => ({ do: 'expire' as const, days })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('apple' as const, 'polar' as const)
      .map((provider) => ({ do: 'delete' as const, provider })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('Asia/Tokyo', 'America/Los_Angeles', 'Europe/Warsaw')
      .map((zone) => ({ do: 'zone' as const, zone })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('sleep_session' as const, 'workout' as const)
      .map((table) => ({ do: 'session' as const, table })),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'join' as const }) },
  {
    weight: 2,
    arbitrary: fc
      .record({
        days: fc.subarray(APP_DAYS, { minLength: 3 }),
        hasFileOffsets: fc.boolean(),
        isFileFirst: fc.boolean(),
      })
      .map((app) => ({ do: 'app' as const, ...app })),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }).map((priority) => ({ do: 'priority' as const, priority })) },
  { weight: 2, arbitrary: fc.constant({ do: 'copy' as const }) },
);

/**
 * Generates the actions of one user. In half of the sequences, no item has an offset, so time zones determine the local
 * days.
 */
function lives(maxLength: number): fc.Arbitrary<Action[]> {
  return fc
    .tuple(fc.array(action, { minLength: 2, maxLength }), fc.boolean())
    .map(([actions, hasOffsets]) => (hasOffsets ? actions : actions.map(withoutOffsets)));
}

function withoutOffsets(life: Action): Action {
  if (life.do !== 'write' && life.do !== 'import') return life;
  return { ...life, records: life.records.map(withoutOffset) };
}

/** A life whose sources join, because few random lives join sources. */
const JOINING_LIFE: Action[] = [
  { do: 'app', days: APP_DAYS, hasFileOffsets: true, isFileFirst: true },
  { do: 'copy' },
  { do: 'join' },
];

/** Counts the stored rows in the tables. */
async function storedRows({ userKey }: User): Promise<number> {
  const tables = ['sample', 'sleep_session', 'workout', 'menstrual_cycle', 'health_score'];
  const counts = tables.map((table) => `(select count(*) from ${table} where user_key = $1)`);
  const { rows } = await fixture.pool.query<{ count: number }>(`select ${counts.join(' + ')} as count`, [userKey]);
  return rows[0]?.count ?? 0;
}

const sorted = (rows: readonly { kind: string; id: string }[]) =>
  [...rows].sort((a, b) => `${a.kind} ${a.id}`.localeCompare(`${b.kind} ${b.id}`));

describe('a copy that follows the feed', () => {
  it('matches the stored data and digests from any starting position', async () => {
    await fc.assert(
      fc.asyncProperty(lives(8), async (actions) => {
        const user = await newUser();
        const copies = [new FeedCopy(await snapshot(user))];
        for (const next of actions) {
          await run(user, next);
          if (next.do !== 'copy') continue;
          copies.push(new FeedCopy(await snapshot(user)));
          // Stores digests, so that later requests must detect the changes since then.
          await digest(user);
        }
        const whole = await snapshot(user);
        expect(whole.rows.length).toBe(await storedRows(user));
        const { position, items, expired } = await digest(user);
        for (const copy of copies) {
          await follow(user, copy);
          expect(copy.position).toBe(position);
          expect(sorted(copy.rows)).toEqual(sorted(whole.rows));
          expect(differences(digestsOf(whole.digestKey, copy.rows), items, expired)).toEqual([]);
        }
      }),
      { numRuns: propertyRuns(25, 1_000), endOnFailure: true, examples: [[JOINING_LIFE]] },
    );
    expect(joins).toBeGreaterThan(0);
  });
});

/** Returns the local days of a row before and after an action. */
function daysOf(...rows: (CopiedRow | undefined)[]): string[] {
  return rows.flatMap((row) => (row ? [row.day] : []));
}

/** Actions that may report a row that appears, vanishes or changes. */
const REPORTS = {
  added: ['created', 'corrected', 'redated'],
  removed: ['deleted', 'corrected', 'redated', 'archived', 'expired'],
  changed: ['corrected', 'redated', 'created'],
} as const;

/** Rows of a snapshot, and stored data that snapshots do not contain. */
interface StoredData {
  rows: readonly CopiedRow[];
  /** Totals of archived days, by series type. */
  archived: ReadonlyMap<string, string>;
  /** Complete rows of sessions, cycles and scores, by ID. */
  items: ReadonlyMap<string, string>;
  /** Cursor at which the user's feed continues. */
  after: string;
}

async function storedData(user: User): Promise<StoredData> {
  const { rows, after } = await snapshot(user);
  const totals = await fixture.pool.query<{ type_id: number; totals: string }>(
    `select type_id, string_agg(a::text, ' ' order by a::text) as totals from day_archive a
      where user_key = $1 group by type_id`,
    [user.userKey],
  );
  const archived = totals.rows.map((row) => [seriesTypeById(row.type_id)?.code ?? '', row.totals] as const);
  const tables = ['sleep_session', 'workout', 'menstrual_cycle', 'health_score'].map(
    (table) => `select id, (to_jsonb(i) - 'updated_at')::text as item from ${table} i where user_key = $1`,
  );
  const items = await fixture.pool.query<{ id: string; item: string }>(tables.join(' union all '), [user.userKey]);
  return { rows, after, archived: new Map(archived), items: new Map(items.rows.map(({ id, item }) => [id, item])) };
}

function changedKeys(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Set<string> {
  return new Set([...before.keys(), ...after.keys()].filter((key) => before.get(key) !== after.get(key)));
}

/** Checks that entries report exactly the differences of the stored data. */
function expectReported(before: StoredData, after: StoredData, entries: readonly Change[]): void {
  const named = (rows: readonly CopiedRow[]) => new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]));
  const [former, current] = [named(before.rows), named(after.rows)];
  const changedTypes = changedKeys(before.archived, after.archived);
  const changedItems = changedKeys(before.items, after.items);
  for (const key of new Set([...former.keys(), ...current.keys()])) {
    const [old, now] = [former.get(key), current.get(key)];
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    const { kind, type, id } = (now ?? old) as CopiedRow;
    if (kind === 'samples') changedTypes.add(type ?? '');
    else changedItems.add(id);
    const actions: readonly string[] = REPORTS[old === undefined ? 'added' : now === undefined ? 'removed' : 'changed'];
    for (const day of daysOf(old, now)) {
      const isReported = entries.some(
        (entry) =>
          entry.kind === kind &&
          actions.includes(entry.action) &&
          (kind === 'samples' ? entry.type === type : entry.ids?.includes(id)) &&
          entry.days?.some(({ from, to }) => from <= day && day <= to),
      );
      expect(isReported, `${key} of ${day}`).toBe(true);
    }
  }
  for (const entry of entries) {
    // A `redated` entry may report a type whose dates stay the same.
    if (entry.kind === 'samples' && entry.action !== 'redated') {
      expect(changedTypes, JSON.stringify(entry)).toContain(entry.type);
    }
    for (const id of entry.ids ?? []) expect(changedItems, JSON.stringify(entry)).toContain(id);
  }
}

describe('the changes of imports, archiving, expiry, deletions, time zones and joined sources', () => {
  it('report exactly the differences in the stored data', async () => {
    await fc.assert(
      fc.asyncProperty(lives(7), async (actions) => {
        const user = await newUser();
        let before = await storedData(user);
        for (const next of actions) {
          await run(user, next);
          const after = await storedData(user);
          const { items } = await readUserChanges(fixture.pool, user.userKey, {
            cursor: before.after,
            kinds: undefined,
            limit: 1_000,
          });
          expectReported(before, after, items);
          before = after;
        }
      }),
      { numRuns: propertyRuns(25, 1_000), endOnFailure: true },
    );
  });
});

const source = { provider: 'polar', writer: 'cloud' } as const;
const heartRate = (hour: number, value: number): HealthRecord => ({
  kind: 'sample',
  sampleKind: 'sample',
  source,
  typeId: 1,
  startMs: RANDOM_START + hour * MS_PER_HOUR,
  offsetMinutes: 60,
  value,
});

describe('the changes of a transaction', () => {
  /** Runs an action. Returns the days of each summary that the new entries report. */
  async function summariesAfter(user: User, action: () => Promise<unknown>): Promise<Record<string, Change['days']>> {
    const { after } = await snapshot(user);
    await action();
    const { items } = await readUserChanges(fixture.pool, user.userKey, {
      cursor: after,
      kinds: ['summary'],
      limit: 1_000,
    });
    return Object.fromEntries(items.map(({ summary, days }) => [summary, days]));
  }
  const [firstDay, nextDay] = ['2026-03-10', '2026-03-11'];

  it('report all summaries of a deleted provider', async () => {
    const user = await newUser();
    await fixture.write(user.userKey, heartRate(1, 60));
    const found = await summariesAfter(user, () => fixture.writer.deleteProvider(user.userKey, 'polar'));
    const night = [{ from: firstDay, to: nextDay }];
    const day = [{ from: firstDay, to: firstDay }];
    expect(found).toEqual({ activity: day, body: day, sleep: night, recovery: night });
  });

  it('report all summaries of expired days', async () => {
    const user = await newUser();
    await fixture.write(user.userKey, heartRate(1, 60), heartRate(30, 61));
    const found = await summariesAfter(user, () => run(user, { do: 'expire', days: 1 }));
    expect(Object.keys(found).sort()).toEqual(['activity', 'body', 'recovery', 'sleep']);
  });

  it('report the activity summary of a workout without samples', async () => {
    const user = await newUser();
    const workout = { kind: 'workout', source, type: 'running', offsetMinutes: 60 } as const;
    const found = await summariesAfter(user, () =>
      fixture.write(user.userKey, { ...workout, startMs: RANDOM_START, endMs: RANDOM_START + MS_PER_HOUR }),
    );
    expect(found).toEqual({ activity: [{ from: firstDay, to: firstDay }] });
  });

  it('report the activity summaries of both days of a night', async () => {
    const user = await newUser();
    const startMs = RANDOM_START + 22 * MS_PER_HOUR;
    const night: HealthRecord = {
      kind: 'sleep_session',
      source,
      offsetMinutes: 60,
      startMs,
      endMs: startMs + 8 * MS_PER_HOUR,
    };
    const { activity } = await summariesAfter(user, () => fixture.write(user.userKey, night));
    expect(activity).toEqual([{ from: firstDay, to: nextDay }]);
  });

  it('report all activity and body summaries if a birth date is added', async () => {
    const user = await newUser();
    await fixture.write(user.userKey, heartRate(1, 60), heartRate(30, 61));
    const found = await summariesAfter(user, () =>
      fixture.write(user.userKey, { kind: 'personal', source, birthDate: '1990-01-01' } as HealthRecord),
    );
    const days = [{ from: firstDay, to: nextDay }];
    expect(found).toEqual({ activity: days, body: days });
  });
});

describe('digests', () => {
  it('differ if one value of the copy is wrong', async () => {
    const user = await newUser();
    await fixture.write(user.userKey, heartRate(1, 60), heartRate(30, 61));
    const { rows, digestKey } = await snapshot(user);
    const wrong = rows.map((row) => (row.value === 61 ? { ...row, value: 61.5 } : row));
    const { items } = await digest(user);
    expect(differences(digestsOf(digestKey, wrong), items)).toEqual(['2026-03-11 samples heart_rate polar']);
  });

  it('are stored only for days near data', async () => {
    const user = await newUser();
    await fixture.write(user.userKey, heartRate(1, 60), heartRate(24 * 300, 61));
    await readDigest(fixture.pool, vault, user, { from: '0001-01-01', to: '0001-12-31' });
    const { items } = await readDigest(fixture.pool, vault, user, { from: '2026-01-10', to: '2027-01-09' });
    expect(items.map(({ day }) => day)).toEqual(['2026-03-10', '2027-01-04']);
    const { rows } = await fixture.pool.query('select from day_digest where user_key = $1', [user.userKey]);
    expect(rows).toHaveLength(6);
  });

  it('are computed again only for changed days', async () => {
    const user = await newUser();
    await fixture.write(user.userKey, heartRate(1, 60), heartRate(30, 61));
    await digest(user);
    // Writes an empty digest, which only a recomputation replaces.
    await fixture.pool.query(`update day_digest set digests = '[]' where user_key = $1`, [user.userKey]);
    await fixture.write(user.userKey, heartRate(31, 62));
    const { items } = await digest(user);
    expect(items.map(({ day, rows }) => ({ day, rows }))).toEqual([{ day: '2026-03-11', rows: 2 }]);
  });

  it('are computed again even if later changes were purged', async () => {
    const user = await newUser();
    await fixture.write(user.userKey, heartRate(1, 60));
    await digest(user);
    await fixture.write(user.userKey, heartRate(2, 62));
    await fixture.pool.query('delete from change where user_key = $1', [user.userKey]);
    const { items } = await digest(user);
    expect(items.map(({ rows }) => rows)).toEqual([2]);
  });

  it('mark archived days', async () => {
    const user = await newUser();
    await fixture.write(user.userKey, heartRate(1, 60), heartRate(30, 61));
    await run(user, { do: 'archive', days: 1 });
    const { items } = await digest(user);
    expect(items.map(({ day, state, rows }) => ({ day, state, rows }))).toEqual([
      { day: '2026-03-10', state: 'archived', rows: null },
      { day: '2026-03-11', state: 'current', rows: 1 },
    ]);
  });

  it('name series whose old samples expired', async () => {
    const user = await newUser();
    await fixture.write(user.userKey, heartRate(1, 60), heartRate(30, 61));
    await run(user, { do: 'expire', days: 1 });
    const { items, expired } = await digest(user);
    expect(expired).toEqual([{ type: 'heart_rate', before: '2026-03-11' }]);
    expect(items).toMatchObject([{ day: '2026-03-11', state: 'current', rows: 1 }] satisfies Partial<DigestItem>[]);
  });

  it('get a new key if the stored key cannot be decrypted', async () => {
    const user = await newUser();
    await fixture.write(user.userKey, heartRate(1, 60));
    const before = await digest(user);
    const after = await readDigest(fixture.pool, createVault([randomBytes(32)]), user, RANGE);
    expect(after.key_id).not.toBe(before.key_id);
    expect(after.items[0]?.digest).not.toBe(before.items[0]?.digest);
  });

  it('share one key between concurrent first requests', async () => {
    const user = await newUser();
    const found = await Promise.all([digest(user), digest(user), snapshot(user)]);
    expect(new Set([found[0].key_id, found[1].key_id, (await digest(user)).key_id]).size).toBe(1);
  });

  it('are deleted when the user is erased', async () => {
    const user = await newUser();
    await fixture.write(user.userKey, heartRate(1, 60));
    await digest(user);
    await inTransaction(fixture.pool, async (client) => {
      await lockUser(client, user.userKey);
      await eraseChanges(client, user);
    });
    const { rows } = await fixture.pool.query(
      `select user_key from user_digest where user_key = $1 union all select user_key from day_digest where user_key = $1`,
      [user.userKey],
    );
    expect(rows).toEqual([]);
  });

  it('are not stored if the user is erased during the computation', async () => {
    const user = await newUser();
    await fixture.write(user.userKey, heartRate(1, 60));
    await digest(user);
    await fixture.write(user.userKey, heartRate(2, 61));
    let outcome: Promise<unknown> | undefined;
    await inTransaction(fixture.pool, async (client) => {
      await lockUserForErasure(client, user.userKey);
      await eraseChanges(client, user);
      outcome = digest(user).catch((error) => error);
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%user_digest own%'`;
      await expect.poll(async () => (await fixture.pool.query(waits)).rowCount).toBe(1);
      await client.query('delete from health_user where user_key = $1', [user.userKey]);
    });
    expect(await outcome).toBeInstanceOf(UserMissingError);
    const { rows } = await fixture.pool.query(
      `select (select count(*) from user_digest where user_key = $1)::int as keys,
              (select count(*) from day_digest where user_key = $1)::int as digests`,
      [user.userKey],
    );
    expect(rows).toEqual([{ keys: 0, digests: 0 }]);
  });
});

describe('a snapshot', () => {
  it('contains every row of a long series once', async () => {
    const user = await newUser();
    const values = Array.from({ length: 12_001 }, (_, at) => heartRate(at / 1000, 50 + (at % 100)));
    await fixture.write(user.userKey, ...values);
    const { rows } = await snapshot(user);
    expect(rows).toHaveLength(values.length);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(values.length);
  });

  it('keeps the ids of samples after a correction', async () => {
    const user = await newUser();
    const sample = { ...heartRate(1, 60), externalId: 'a' } as HealthRecord;
    await fixture.write(user.userKey, sample);
    const before = await snapshot(user);
    await fixture.write(user.userKey, { ...sample, value: 70 } as HealthRecord);
    const after = await snapshot(user);
    expect(after.rows.map(({ value }) => value)).toEqual([70]);
    expect(after.rows.map(({ id }) => id)).toEqual(before.rows.map(({ id }) => id));
  });
});
