import {
  fromDayNumber,
  type HealthRecord,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  type SampleKind,
  type SourceIdentity,
  seriesTypeByCode,
} from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/extent.js';
import { openRecordFixture, type RecordFixture } from '../../../test/support/record-fixture.js';
import { groupedBy } from '../platform/grouped-by.js';
import { PriorityStore } from '../priorities/index.js';
import { previewArchival } from './preview.js';
import { archiveOldData } from './run-archival.js';

const TODAY = Date.UTC(2026, 2, 10) / MS_PER_DAY;
const USERS = 2;
/** Few limits, so that many items are exactly at a limit. */
const LIMITS = [1, 3, 10] as const;
/** Two devices of one cloud account, a cloud without a limit, and a phone. */
const SOURCES: SourceIdentity[] = [
  { provider: 'google', account: 'g1', deviceModel: 'Watch G', deviceType: 'watch' },
  { provider: 'google', account: 'g1', deviceModel: 'Phone G', deviceType: 'phone' },
  { provider: 'garmin', account: 'r1', deviceModel: 'fenix 7', deviceType: 'watch' },
  { provider: 'apple', deviceModel: 'iPhone15,2', deviceType: 'phone' },
];
/** Merged series, a nightly series, and a series that is never archived. */
const SERIES = (['steps', 'energy', 'heart_rate', 'weight'] as const).map((code) => seriesTypeByCode(code).id);
const NEVER_ARCHIVED = seriesTypeByCode('weight').id;

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

interface Item {
  user: number;
  source: number;
  typeId: number;
  kind: SampleKind;
  /** Local days before today. */
  age: number;
  /** Five-minute step of the local day, with a step of 0 at midnight. */
  step: number;
  value: number;
}

/** Ages at the limits, near the ends of steps of 8 and 32 days, and far away. */
const age = fc.oneof(
  { arbitrary: fc.constantFrom(...LIMITS.flatMap((days) => [days - 1, days, days + 1])), weight: 5 },
  { arbitrary: fc.integer({ min: -1, max: 80 }), weight: 2 },
  { arbitrary: fc.integer({ min: 81, max: 400 }), weight: 1 },
);
const item: fc.Arbitrary<Item> = fc.record({
  user: fc.nat({ max: USERS - 1 }),
  source: fc.nat({ max: SOURCES.length - 1 }),
  typeId: fc.constantFrom(...SERIES),
  kind: fc.constantFrom(
    'sample' as const,
    'sample' as const,
    'sample' as const,
    'daily_total' as const,
    'aggregate' as const,
  ),
  age,
  step: fc.oneof(fc.constantFrom(0, 1, 286, 287), fc.nat({ max: 287 })),
  value: fc.integer({ min: 40, max: 120 }),
});
const limit = fc.option(fc.constantFrom(...LIMITS), { freq: 4 });
const run = fc.record({
  archiveAfterDays: limit,
  deleteAfterDays: limit,
  /** Hours since the previous run, or since midnight UTC for the first run. */
  hours: fc.integer({ min: 0, max: 30 }),
  neverArchived: fc.constantFrom<string[]>([], ['google'], ['garmin', 'strava']),
});
const life = fc.record({
  items: fc.uniqueArray(item, {
    minLength: 10,
    maxLength: 40,
    size: 'max',
    selector: ({ user, source, typeId, kind, age: days, step }) =>
      [user, source, typeId, kind, days, kind === 'daily_total' ? 0 : step].join(' '),
  }),
  /** Offset of each user in quarter hours. */
  offsets: fc.tuple(fc.integer({ min: -48, max: 56 }), fc.integer({ min: -48, max: 56 })),
  runs: fc.array(run, { minLength: 2, maxLength: 3 }),
});

const dayOf = (one: Item) => TODAY - one.age;

function recordOf(one: Item, offsetMinutes: number): HealthRecord {
  const midnightMs = dayOf(one) * MS_PER_DAY - offsetMinutes * MS_PER_MINUTE;
  return {
    kind: 'sample',
    source: SOURCES[one.source] as SourceIdentity,
    typeId: one.typeId,
    sampleKind: one.kind,
    startMs: midnightMs + (one.kind === 'daily_total' ? 0 : one.step * 5 * MS_PER_MINUTE),
    // An interval ends within its day, because intervals across midnight are archived a day later.
    ...(one.kind === 'sample' && one.typeId !== NEVER_ARCHIVED && { durationMs: 5 * MS_PER_MINUTE }),
    value: one.value,
    offsetMinutes,
  };
}

/** Counts items as a preview does. */
function countsOf(items: readonly Item[], users: readonly number[]) {
  return {
    users: new Set(items.map(({ user }) => users[user])).size,
    days: new Set(items.map((one) => `${one.user} ${dayOf(one)}`)).size,
    samples: items.length,
  };
}

/** Returns daily figures as text, by naive sums. */
function figuresOf(items: readonly Item[], users: readonly number[]): string[] {
  const days = groupedBy(items, (one) =>
    [users[one.user], one.typeId, fromDayNumber(dayOf(one)), one.source].join(' '),
  );
  return [...days]
    .map(([key, all]) => {
      const values = (kind: SampleKind) => all.filter((one) => one.kind === kind).map(({ value }) => value);
      const sum = (kind: SampleKind) => values(kind).reduce((total, value) => total + value, 0);
      const counts = (['sample', 'daily_total', 'aggregate'] as const).map((kind) => [values(kind).length, sum(kind)]);
      const samples = values('sample');
      return `${key} ${counts.flat().join(' ')} ${samples.length > 0 ? `${Math.min(...samples)} ${Math.max(...samples)}` : ' '}`;
    })
    .toSorted();
}

async function storedFigures(): Promise<string[]> {
  const { rows } = await fixture.pool.query<{ line: string }>(
    `select concat_ws(' ', v.user_key, v.type_id, v.local_date, array_position($1, d.device_model) - 1, sample_count,
              coalesce(sample_sum, 0), total_count, coalesce(total_sum, 0), aggregate_count, coalesce(aggregate_sum, 0),
              coalesce(sample_min::text, ''), coalesce(sample_max::text, '')) as line
       from day_value v join data_source d using (user_key, source_id)`,
    [SOURCES.map(({ deviceModel }) => deviceModel)],
  );
  return rows.map(({ line }) => line).toSorted();
}

/** Returns the day before which each user's data is archived. */
async function storedLimits(): Promise<Map<number, number>> {
  const { rows } = await fixture.pool.query<{ user_key: number; day: number }>(
    `select user_key, archived_before - date '1970-01-01' as day from user_archive`,
  );
  return new Map(rows.map(({ user_key, day }) => [user_key, day]));
}

async function storedSamples(): Promise<number> {
  const { rows } = await fixture.pool.query<{ n: number }>('select count(*)::int4 as n from sample');
  return rows[0]?.n ?? -1;
}

it('previews, archives and deletes exactly the days before each limit', async () => {
  const priorities = new PriorityStore(fixture.pool);
  // Lists the tables to empty before each life, because previews count all users.
  const { rows: names } = await fixture.pool.query<{ name: string }>(
    `select distinct table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'user_key'`,
  );
  const tables = names.map(({ name }) => `"${name}"`).join(', ');
  const log = { error: (fields: unknown) => expect(fields).toBeUndefined() };
  const property = fc.asyncProperty(life, async ({ items, offsets, runs }) => {
    await fixture.pool.query(`truncate ${tables} cascade`);
    const users = [await fixture.newUser(), await fixture.newUser()];
    for (const [user, userKey] of users.entries()) {
      const own = items.filter((one) => one.user === user).map((one) => recordOf(one, 15 * (offsets[user] as number)));
      await fixture.write(userKey, ...own);
    }
    const limits = new Map<number, number>();
    let live = items;
    let archived: Item[] = [];
    let nowMs = TODAY * MS_PER_DAY;
    for (const { hours, neverArchived, ...settings } of runs) {
      nowMs += hours * MS_PER_HOUR;
      const today = Math.floor(nowMs / MS_PER_DAY);
      const before = (days: number | null) => (days === null ? Number.NEGATIVE_INFINITY : today - days);
      const isDeleted = (one: Item) => dayOf(one) < before(settings.deleteAfterDays);
      const isArchived = (one: Item) =>
        dayOf(one) < before(settings.archiveAfterDays) &&
        one.kind === 'sample' &&
        one.typeId !== NEVER_ARCHIVED &&
        !neverArchived.includes(SOURCES[one.source]?.provider as string);
      const deleted = [...live, ...archived].filter(isDeleted);
      live = live.filter((one) => !isDeleted(one));
      archived = archived.filter((one) => !isDeleted(one));
      const newlyArchived = live.filter(isArchived);
      live = live.filter((one) => !isArchived(one));
      archived = [...archived, ...newlyArchived];

      const date = (days: number | null) => (days === null ? null : fromDayNumber(today - days));
      expect(await previewArchival(fixture.pool, settings, nowMs, neverArchived)).toEqual({
        archive: { before: date(settings.archiveAfterDays), ...countsOf(newlyArchived, users) },
        delete: { before: date(settings.deleteAfterDays), ...countsOf(deleted, users) },
      });
      const outcome = await archiveOldData({
        pool: fixture.pool,
        priorities,
        neverArchived: async () => neverArchived,
        settings,
        nowMs,
        log,
      });
      expect(outcome).toEqual({
        archivedSamples: newlyArchived.length,
        deletedSamples: deleted.length,
        failedUsers: 0,
      });
      expect(await storedSamples()).toBe(live.length);
      for (const { user } of newlyArchived) {
        const userKey = users[user] as number;
        limits.set(userKey, Math.max(limits.get(userKey) ?? 0, before(settings.archiveAfterDays)));
      }
      expect(await storedLimits()).toEqual(limits);
      expect(await storedFigures()).toEqual(figuresOf([...live, ...archived], users));
    }
  });
  await fc.assert(property, { numRuns: propertyRuns(8, 400), endOnFailure: true });
});
