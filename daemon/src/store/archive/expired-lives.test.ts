import {
  batchOf,
  fromDayNumber,
  type HealthRecord,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  type SourceIdentity,
  seriesTypeByCode,
} from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { countRows } from '../../connections/index.js';
import { archiveUser, expireUser, hasOldFigures } from './index.js';

const LIMIT = Date.UTC(2026, 2, 10) / MS_PER_DAY;
const LIMIT_DATE = fromDayNumber(LIMIT);
const STEPS = seriesTypeByCode('steps').id;
const HEART_RATE = seriesTypeByCode('heart_rate').id;
/** Sources with the account of the batch that writes them. Only the first two sources belong to the limited cloud. */
const SOURCES: { source: SourceIdentity; account?: string }[] = [
  { source: { provider: 'polar', deviceModel: 'Ring' }, account: 'p1' },
  { source: { provider: 'polar', deviceModel: 'Watch' }, account: 'p1' },
  { source: { provider: 'polar', deviceModel: 'Export' } },
  { source: { provider: 'garmin', deviceModel: 'fenix 7' }, account: 'r1' },
  { source: { provider: 'apple', deviceModel: 'iPhone15,2' } },
];
const CLOUD_SOURCES = 2;
const STAGE_SOURCES = [1, 2, 4];

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

const KINDS = ['steps', 'steps', 'pulse', 'total', 'night', 'stage', 'workout', 'cycle', 'score'] as const;
interface Item {
  kind: (typeof KINDS)[number];
  source: number;
  /** Local days before the limit's day; 1 is the last expired day. */
  age: number;
  /** Quarter hours after local midnight at which the item is dated. */
  quarter: number;
  id: number;
}
const item: fc.Arbitrary<Item> = fc.record({
  kind: fc.constantFrom(...KINDS),
  source: fc.nat({ max: SOURCES.length - 1 }),
  age: fc.oneof(
    { arbitrary: fc.integer({ min: -2, max: 3 }), weight: 4 },
    { arbitrary: fc.constantFrom(31, 32, 33, 34, 63, 64, 65, 66, 300), weight: 1 },
  ),
  quarter: fc.oneof(fc.constantFrom(0, 1, 95), fc.nat({ max: 95 })),
  id: fc.constant(0),
});
/**
 * Places a stage so far from other stages and nights of its source that it becomes a separate session. A source writes
 * either stages or nights.
 */
function placed(one: Item): Item {
  const isStages = STAGE_SOURCES.includes(one.source);
  if (one.kind !== 'stage' && one.kind !== 'night') return one;
  return isStages ? { ...one, kind: 'stage', quarter: one.quarter - (one.quarter % 40) } : { ...one, kind: 'night' };
}

const life = fc.record({
  items: fc
    .uniqueArray(item.map(placed), {
      minLength: 8,
      maxLength: 30,
      size: 'max',
      selector: (one) => Object.values(one).join(' '),
    })
    .map((items) => items.map((one, id) => ({ ...one, id }))),
  /** The user's offset in quarter hours. */
  offset: fc.integer({ min: -48, max: 56 }),
  rowsPerStep: fc.constantFrom(1, 2, 5_000),
  archivedDays: fc.option(fc.oneof(fc.constantFrom(-2, -1, 0), fc.integer({ min: 1, max: 40 })), { freq: 3 }),
});

/** Scores and cycles are dated in UTC, other items in local time. */
function dateMsOf({ kind, age, quarter }: Item, offsetMinutes: number): number {
  const isUtc = kind === 'score' || kind === 'cycle';
  return (LIMIT - age) * MS_PER_DAY + (quarter * 15 - (isUtc ? 0 : offsetMinutes)) * MS_PER_MINUTE;
}

function recordOf(one: Item, offsetMinutes: number): HealthRecord {
  const { source } = SOURCES[one.source] as (typeof SOURCES)[number];
  const atMs = dateMsOf(one, offsetMinutes);
  const more = { source, offsetMinutes };
  const externalId = `${one.id}`;
  switch (one.kind) {
    case 'steps':
      return {
        kind: 'sample',
        ...more,
        typeId: STEPS,
        startMs: atMs,
        durationMs: 60_000,
        value: 9,
        sampleKind: 'sample',
      };
    case 'pulse':
      return { kind: 'sample', ...more, typeId: HEART_RATE, startMs: atMs, value: 60, sampleKind: 'sample' };
    case 'total': {
      const startMs = atMs - one.quarter * 15 * MS_PER_MINUTE;
      return { kind: 'sample', ...more, typeId: STEPS, startMs, value: 900, sampleKind: 'daily_total' };
    }
    case 'night':
      // Short, so that the nights of a source do not overlap.
      return {
        kind: 'sleep_session',
        ...more,
        externalId,
        isNap: false,
        startMs: atMs - 14 * MS_PER_MINUTE,
        endMs: atMs,
      };
    case 'stage':
      return { kind: 'sleep_stage', ...more, stage: 'deep', startMs: atMs - 14 * MS_PER_MINUTE, endMs: atMs };
    case 'workout':
      return { kind: 'workout', ...more, externalId, type: 'running', startMs: atMs - MS_PER_HOUR, endMs: atMs };
    case 'cycle':
      return { kind: 'menstrual_cycle', source, externalId, details: {}, startMs: atMs - 3 * MS_PER_DAY, endMs: atMs };
    case 'score':
      return { kind: 'health_score', source, externalId, category: 'sleep', value: 80, atMs };
  }
}

async function write(items: readonly Item[], offsetMinutes: number): Promise<number> {
  const user = await fixture.newUser();
  for (const [index, { account }] of SOURCES.entries()) {
    const own = items.filter(({ source }) => source === index).map((one) => recordOf(one, offsetMinutes));
    if (own.length > 0) await fixture.writer.write(user, batchOf(own), account === undefined ? {} : { account });
  }
  return user;
}

const FIGURES = ['day_value', 'day_minutes', 'night_value'] as const;
const ITEMS = ['sample', 'sleep_session', 'sleep_stage', 'workout', 'menstrual_cycle', 'health_score'] as const;
const ARCHIVES = ['day_archive', 'merged_archive', 'archived_minute', 'night_archive', 'night_source'] as const;
const HEART_RATES = ['archived_heart_rate_count', 'archived_heart_rate_sum', 'archived_heart_rate_max'];
const NO_HEART_RATES = { archived_heart_rate_count: 0, archived_heart_rate_sum: 0, archived_heart_rate_max: null };
/** Columns that differ between users with the same data, and columns that are compared separately. */
const OWN = ['id', 'user_key', 'source_id', 'night_source_id', 'created_at', 'updated_at', ...HEART_RATES];

interface Stored {
  device: string;
  date?: string;
  [column: string]: unknown;
}

async function rowsOf(table: string, user: number): Promise<Stored[]> {
  const { rows } = await fixture.pool.query<{ row: Stored }>(
    `select (to_jsonb(t) - $2::text[]) || jsonb_build_object('device', d.device_model, 'date',
              coalesce(to_jsonb(t)->'local_date', to_jsonb(t)->'wake_date', to_jsonb(t)->'utc_date')) as row
       from ${table} t join data_source d using (user_key, source_id) where user_key = $1 order by 1`,
    [user, OWN],
  );
  return rows.map(({ row }) => row);
}

const inOrder = (rows: Stored[]) => rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

async function storedIn(tables: readonly string[], user: number): Promise<Record<string, Stored[]>> {
  return Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await rowsOf(table, user)])));
}

/** Reads the archived heart rates of a user's workouts, by the workout's ID. */
async function workoutHeartRates(user: number): Promise<Record<string, { date: string }>> {
  const { rows } = await fixture.pool.query<{ id: string; row: { date: string } }>(
    `select id, (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(w)) where key = any ($2::text[]))
            || jsonb_build_object('date', local_date) as row
       from workout w where user_key = $1`,
    [user, HEART_RATES],
  );
  return Object.fromEntries(rows.map(({ id, row }) => [id, row]));
}

const isOfCloud = ({ source }: Item) => source < CLOUD_SOURCES;
const isSample = ({ kind }: Item) => kind === 'steps' || kind === 'pulse' || kind === 'total';
/** Samples that differ only by an ID replace each other. */
const slotOf = ({ kind, source, age, quarter }: Item) => [kind, source, age, kind === 'total' ? 0 : quarter].join(' ');

async function expire(
  user: number,
  { cloudOf, rowsPerStep }: { cloudOf?: string | undefined; rowsPerStep?: number } = {},
) {
  let audits = 0;
  const audit = async () => void audits++;
  const expired = await expireUser(fixture.pool, user, {
    beforeDay: LIMIT,
    audit,
    cloudOf,
    ...(rowsPerStep && { rowsPerStep }),
  });
  return { ...expired, audits };
}

describe.each([['polar'], [undefined]])('the expiry with the cloud filter %s', (cloudOf) => {
  it('leaves the same data as if the old items had never arrived', async () => {
    const property = fc.asyncProperty(life, async ({ items, offset, archivedDays, rowsPerStep }) => {
      const offsetMinutes = offset * 15;
      const isExpired = (one: Item) => one.age > 0 && (cloudOf ? isOfCloud(one) : isSample(one));
      const user = await write(items, offsetMinutes);
      if (archivedDays !== null) {
        await archiveUser(fixture.pool, user, { beforeDay: LIMIT - archivedDays, compare: () => 0, deviceOrder: 0 });
      }
      const archives = await storedIn(ARCHIVES, user);
      const heartRates = await workoutHeartRates(user);
      const nights = await rowsOf('night_value', user);
      const shown = await countRows(fixture.pool, 'polar', { cloudOnly: true, before: LIMIT_DATE, userKey: user });
      const expired = await expire(user, { cloudOf, rowsPerStep });
      // Compares with the number of rows that the operator sees before accepting a limit.
      if (cloudOf) expect(shown).toBe(expired.samples + expired.sessions);

      const gone = items.filter(isExpired);
      const samples = gone.filter(isSample);
      const days = samples.map(({ kind, source, age }) => `${kind === 'pulse'} ${source} ${age}`);
      expect(expired).toEqual({
        samples: new Set(samples.map(slotOf)).size,
        days: new Set(days).size,
        sessions: gone.length - samples.length,
        audits: gone.length > 0 ? 1 : 0,
      });
      const other = await write(
        items.filter((one) => !isExpired(one)),
        offsetMinutes,
      );
      // Archived samples are not stored, and archived nights store fewer figures.
      const compared = archivedDays === null ? [...FIGURES, ...ITEMS] : [...FIGURES.slice(0, 2), ...ITEMS.slice(1)];
      const expected = await storedIn(compared, other);
      // Without a cloud filter, sessions before the limit remain but lose their figures. The limit's night keeps all of
      // its figures.
      if (expected.night_value && !cloudOf) {
        const later = expected.night_value.filter(({ date }) => (date as string) > LIMIT_DATE);
        expected.night_value = inOrder([...nights.filter(({ date }) => date === LIMIT_DATE), ...later]);
      }
      const kept = await storedIn(compared, user);
      if (kept.night_value && !cloudOf) kept.night_value = inOrder(kept.night_value);
      expect(kept).toEqual(expected);

      const isInScope = ({ device }: Stored) =>
        !cloudOf || SOURCES.slice(0, CLOUD_SOURCES).some(({ source }) => source.deviceModel === device);
      // The minutes of the UTC day before the limit may be of the limit's local day.
      const limitOf = (table: string) => (table === 'archived_minute' ? fromDayNumber(LIMIT - 1) : LIMIT_DATE);
      for (const [table, before] of Object.entries(archives)) {
        const left = before.filter((row) => !isInScope(row) || (row.date as string) >= limitOf(table));
        expect(await rowsOf(table, user), table).toEqual(left);
      }
      // A workout keeps the heart rates of the evening before the limit if its own date is later.
      for (const [id, row] of Object.entries(await workoutHeartRates(user))) {
        const isExpired = !cloudOf && row.date < LIMIT_DATE;
        expect(row, id).toEqual(isExpired ? { date: row.date, ...NO_HEART_RATES } : heartRates[id]);
      }
      expect(await expire(user, { cloudOf, rowsPerStep })).toEqual({ samples: 0, days: 0, sessions: 0, audits: 0 });
    });
    await fc.assert(property, { numRuns: propertyRuns(cloudOf ? 15 : 8, 500), endOnFailure: true });
  });
});

it.each(['night', 'workout', 'cycle', 'score'] as const)('deletes items in several steps: %s', async (kind) => {
  const at = (index: number): Item => ({
    kind,
    source: 0,
    age: 2 + Math.floor(index / 96),
    quarter: index % 96,
    id: index,
  });
  const others = KINDS.map((other, id): Item => placed({ ...at(0), kind: other, age: 9, id: 1_000 + id }));
  const kept: Item = { ...at(0), age: 0, id: 2_000 };
  const user = await write([...Array.from({ length: 401 }, (_, index) => at(index)), ...others, kept], 0);
  await expire(user, { cloudOf: 'polar' });
  const stored = await storedIn(ITEMS, user);
  expect(Object.values(stored).flat()).toHaveLength(1);
});

it("deletes archived heart rates of workouts before the limit's day", async () => {
  const at = (kind: Item['kind'], age: number, quarter: number, id = 0): Item => ({
    kind,
    source: 3,
    age,
    quarter,
    id,
  });
  // Each workout lasts an hour. The second workout ends after midnight, on the first retained day.
  const items = [at('workout', 2, 40, 1), at('pulse', 2, 38), at('workout', 0, 2, 2), at('pulse', 1, 95)];
  const user = await write(items, 0);
  await archiveUser(fixture.pool, user, { beforeDay: LIMIT, compare: () => 0, deviceOrder: 0 });
  const counts = async () => {
    const { rows } = await fixture.pool.query(
      'select archived_heart_rate_count as count from workout where user_key = $1 order by end_at',
      [user],
    );
    return rows.map(({ count }) => count);
  };
  expect(await counts()).toEqual([1, 1]);
  await expire(user);
  expect(await counts()).toEqual([0, 1]);
});

describe('many old figures', () => {
  const OLD = 5;
  const COUNTS = {
    day_minutes: '',
    night_value: '',
    night_archive: '',
    night_source: '',
    archived_minute: '',
    pushed_sample: '',
    workout: 'and archived_heart_rate_count > 0',
  };

  /** Stores five old rows and a new row in each table of figures. */
  async function withFigures(): Promise<number> {
    const workout: Item = { kind: 'workout', source: 0, age: 2, quarter: 40, id: 1 };
    const user = await write([workout], 0);
    const date = `'${LIMIT_DATE}'::date + case when n = 0 then 0 else -9 - n end`;
    const inserts = [
      `day_minutes (user_key, local_date, source_id) select $1, ${date}, source_id`,
      `night_value (user_key, wake_date, asleep_sum, window_sum, aggregate_sum, near_sum, stamped_sum, night_source_id,
         source_id, asleep_count, window_count, aggregate_count, near_count, stamped_count, type_id)
         select $1, ${date}, 0, 0, 0, 0, 0, source_id, source_id, 0, 0, 0, 0, 0, 1`,
      `night_archive (user_key, wake_date, asleep_sum, window_sum, night_source_id, source_id, asleep_count,
         window_count, type_id) select $1, ${date}, 0, 0, source_id, source_id, 0, 0, 1`,
      `night_source (user_key, wake_date, source_id, figure_group) select $1, ${date}, source_id, 'x'`,
      `archived_minute (user_key, utc_date, source_id, type_id, minutes)
         select $1, ${date}, source_id, 1, repeat('0', 1440)::bit(1440)`,
      // Rows with the same ID differ by their time only.
      `pushed_sample (user_key, id_hash, start_at, source_id, slot, type_id, device)
         select $1, n / 3, (${date})::timestamptz + interval '1 microsecond', source_id, 0, 1, 0`,
      `workout (user_key, source_id, external_id, type, start_at, end_at, local_date, archived_heart_rate_count)
         select $1, source_id, 'more ' || n, 'running', ${date}, (${date}) + interval '1 hour', ${date}, 1`,
    ];
    for (const insert of inserts) {
      const source = '(select source_id from data_source where user_key = $1 limit 1) source';
      await fixture.pool.query(`insert into ${insert} from ${source}, generate_series(0, ${OLD}) n`, [user]);
    }
    return user;
  }

  async function counts(client: Pick<typeof fixture.pool, 'query'>, user: number): Promise<Record<string, number>> {
    const columns = Object.entries(COUNTS).map(
      ([table, condition]) => `(select count(*)::int from ${table} where user_key = $1 ${condition}) as ${table}`,
    );
    return (await client.query<Record<string, number>>(`select ${columns.join(', ')}`, [user])).rows[0] ?? {};
  }

  it('are deleted with a limited number of rows per transaction', async () => {
    const user = await withFigures();
    const before: Record<string, number>[] = [];
    await expireUser(fixture.pool, user, {
      beforeDay: LIMIT,
      audit: async () => {},
      rowsPerStep: 2,
      isRequested: async (client) => {
        before.push(await counts(client as never, user));
        return true;
      },
    });
    const remaining = [...before, await counts(fixture.pool, user)];
    for (const table of Object.keys(COUNTS)) {
      const left = remaining.map((row) => row[table] ?? Number.NaN);
      const removed = left.slice(1).map((count, index) => (left[index] ?? Number.NaN) - count);
      expect(
        removed.filter((count) => count > 0),
        table,
      ).toEqual([2, 2, 1]);
      expect(left.at(-1), table).toBe(1);
    }
  });

  it('stay if the deletion is canceled between two transactions', async () => {
    const user = await withFigures();
    const start = await counts(fixture.pool, user);
    let asked = 0;
    await expireUser(fixture.pool, user, {
      beforeDay: LIMIT,
      audit: async () => {},
      rowsPerStep: 2,
      // Agrees until the first two figures of each table are deleted.
      isRequested: async (client) =>
        ++asked === 1 || (await counts(client as never, user)).day_minutes === start.day_minutes,
    });
    const { pushed_sample: pushed, day_minutes: minutes } = await counts(fixture.pool, user);
    expect(minutes).toBe(OLD - 1);
    expect(pushed).toBe(OLD + 1);
  });
});

it('resumes an expiry that was interrupted between two transactions', async () => {
  const property = fc.asyncProperty(
    life,
    fc.nat({ max: 12 }),
    async ({ items, offset, archivedDays }, interruptedAt) => {
      const user = await write(items, offset * 15);
      if (archivedDays !== null) {
        await archiveUser(fixture.pool, user, { beforeDay: LIMIT - archivedDays, compare: () => 0, deviceOrder: 0 });
      }
      const isLeft = async () =>
        (await countRows(fixture.pool, 'polar', { cloudOnly: true, before: LIMIT_DATE, userKey: user })) > 0 ||
        hasOldFigures(fixture.pool, user, 'polar', LIMIT_DATE);
      let steps = 0;
      const isRequested = async () => {
        if (steps++ === interruptedAt) throw new Error('interrupted');
        return true;
      };
      const options = { beforeDay: LIMIT, audit: async () => undefined, cloudOf: 'polar', rowsPerStep: 1 };
      await expireUser(fixture.pool, user, { ...options, isRequested }).catch((error: Error) =>
        expect(error.message).toBe('interrupted'),
      );
      if (await isLeft()) await expireUser(fixture.pool, user, options);
      expect(await isLeft()).toBe(false);
    },
  );
  await fc.assert(property, { numRuns: propertyRuns(12, 300) });
});

it('finds the figures of a cloud that an interrupted expiry left', async () => {
  const user = await write([{ kind: 'steps', source: 0, age: 0, quarter: 40, id: 1 }], 0);
  const left = () => hasOldFigures(fixture.pool, user, 'polar', LIMIT_DATE);
  const add = (age: number) =>
    fixture.pool.query(
      `insert into night_source (user_key, wake_date, source_id, figure_group)
       select user_key, $2::date, source_id, $3 from data_source where user_key = $1 and provider = 'polar' and from_cloud`,
      [user, fromDayNumber(LIMIT - age), `group-${age}`],
    );
  await add(1);
  expect(await left()).toBe(false);
  await add(2);
  expect(await left()).toBe(true);
});
