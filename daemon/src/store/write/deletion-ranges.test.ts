import {
  BatchBuilder,
  batchOf,
  type DeletionRecord,
  type HealthRecord,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  type PushedDeletion,
  type PushedKinds,
  type SourceIdentity,
} from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';

const START = Date.UTC(2026, 2, 10, 8);
const HEART_RATE = 1;
const STEPS = 80;
const CLOUD: SourceIdentity = { provider: 'google', writer: 'cloud' };
const OTHER_CLOUD: SourceIdentity = { provider: 'whoop', writer: 'cloud' };
const WATCH: SourceIdentity = { provider: 'samsung', deviceModel: 'SM-L330' };
const PHONE: SourceIdentity = { provider: 'samsung', deviceModel: 'SM-S918' };
const PUSHED_BY = { provider: 'samsung', device: 'phone' } as const;

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

/** Items start on a grid of minutes, so that many of them start exactly at an end of the range. */
const atMs = fc.nat({ max: 8 }).map((minutes) => START + minutes * MS_PER_MINUTE);
const range = fc
  .tuple(atMs, fc.integer({ min: 1, max: 8 }))
  .map(([startMs, minutes]) => ({ startMs, endMs: startMs + minutes * MS_PER_MINUTE }));

const kind = fc.constantFrom('sample' as const, 'sleep_stage' as const, 'workout' as const);
const origin = fc.constantFrom('push' as const, 'file' as const);
const kinds = fc.constantFrom<PushedKinds>('sleep', 'workouts', { typeIds: [HEART_RATE] });
const itemId = fc.constantFrom('a', 'b', 'c');

interface Item {
  kind: 'sample' | 'sleep_stage' | 'workout';
  origin: 'push' | 'file';
  source: SourceIdentity;
  startMs: number;
  id?: string;
}

const isIn = (startMs: number, { startMs: from, endMs: to }: { startMs: number; endMs: number }) =>
  startMs >= from && startMs < to;

describe('range deletion', () => {
  it("removes exactly its provider's samples of the type in the range", async () => {
    const item = fc.record({
      source: fc.constantFrom(CLOUD, OTHER_CLOUD),
      typeId: fc.constantFrom(HEART_RATE, STEPS),
      startMs: atMs,
    });
    const property = fc.asyncProperty(fc.array(item, { maxLength: 25, size: 'max' }), range, async (items, span) => {
      const user = await fixture.newUser();
      const records = distinct(items, ({ source, typeId, startMs }) => `${source.provider} ${typeId} ${startMs}`).map(
        (sample): HealthRecord => ({ kind: 'sample', ...sample, value: 60, sampleKind: 'sample' }),
      );
      await fixture.write(user, ...records);
      const { deleted } = await fixture.write(user, {
        kind: 'deletion',
        provider: 'google',
        of: 'samples',
        typeId: STEPS,
        ...span,
      });
      const left = records.filter(
        (record) =>
          record.kind === 'sample' &&
          !(record.source === CLOUD && record.typeId === STEPS && isIn(record.startMs, span)),
      );
      expect(deleted.samples).toBe(records.length - left.length);
      const { rows } = await fixture.pool.query(
        `select d.provider || ' ' || s.type_id || ' ' || (extract(epoch from s.start_at) * 1000)::bigint as row
           from sample s join data_source d using (user_key, source_id) where user_key = $1 order by row`,
        [user],
      );
      const expected = left.flatMap((record) =>
        record.kind === 'sample' ? `${record.source.provider} ${record.typeId} ${record.startMs}` : [],
      );
      expect(rows.map(({ row }) => row)).toEqual(expected.sort());
      const { rows: sums } = await fixture.pool.query<{ n: number }>(
        'select coalesce(sum(sample_count), 0)::int as n from day_value where user_key = $1',
        [user],
      );
      expect(sums[0]?.n).toBe(left.length);
    });
    await fc.assert(property, { numRuns: propertyRuns(25, 300) });
  });

  it("removes exactly its source's pushed items of the type in range", async () => {
    const item = fc.record({ kind, origin, source: fc.constantFrom(WATCH, WATCH, PHONE), startMs: atMs });
    // Many items and several kinds, so that nearly every run has an item of a file in a deleted range.
    const items = fc.array(item, { minLength: 20, maxLength: 40, size: 'max' });
    // More ranges than kinds, so that some ranges of one kind overlap or contain each other.
    const ofKinds = fc.array(fc.record({ kinds, span: range }), { minLength: 2, maxLength: 6, size: 'max' });
    const property = fc.asyncProperty(items, ofKinds, async (items, deleted) => {
      const user = await fixture.newUser();
      const stored = distinct(items, ({ kind, source, startMs }) => `${kind} ${source.deviceModel} ${startMs}`);
      await deliver(user, stored);
      const { deletions } = await deletePushed(
        user,
        ...deleted.map(({ kinds, span }) => ({ kinds, source: WATCH, ...span })),
      );
      const isDeletedBy = ({ kinds, span }: (typeof deleted)[number], { kind, origin, source, startMs }: Item) =>
        origin === 'push' && isOf(kind, kinds) && source === WATCH && isIn(startMs, span);
      const left = stored.filter((item) => !deleted.some((one) => isDeletedBy(one, item)));
      expect(await storedItems(user)).toEqual(left.map(nameOf).sort());
      const notFound = deleted.filter((one) => !stored.some((item) => isDeletedBy(one, item))).length;
      expect(deletions).toEqual({ deleted: stored.length - left.length, notFound });
      await deliver(user, stored);
      expect(await storedItems(user), 'redelivered').toEqual(left.map(nameOf).sort());
    });
    await fc.assert(property, { numRuns: propertyRuns(25, 300) });
  });
});

describe('deletion by id', () => {
  it('removes exactly the pushed items with the id and type', async () => {
    const item = fc.record({ kind, origin, source: fc.constantFrom(WATCH, PHONE), startMs: atMs, id: itemId });
    const anyKinds = fc.option(kinds, { nil: undefined });
    const property = fc.asyncProperty(
      fc.array(item, { minLength: 6, maxLength: 20, size: 'max' }),
      fc.array(fc.record({ id: itemId, kinds: anyKinds }), { minLength: 1, maxLength: 3 }),
      async (items, deletions) => {
        const user = await fixture.newUser();
        const stored = distinct(items, ({ kind, source, startMs }) => `${kind} ${source.deviceModel} ${startMs}`);
        await deliver(user, stored);
        const { deletions: reported } = await deletePushed(
          user,
          ...deletions.map(({ id, kinds: only }) => ({ id, ...(only !== undefined && { kinds: only }) })),
        );
        const isNamed = ({ kind, origin, id }: Item, one: { id: string; kinds?: PushedKinds | undefined }) =>
          origin === 'push' && one.id === id && (one.kinds === undefined || isOf(kind, one.kinds));
        const left = stored.filter((item) => !deletions.some((one) => isNamed(item, one)));
        expect(await storedItems(user)).toEqual(left.map(nameOf).sort());
        // A deletion of an id without kinds includes the deletions of the same id with kinds.
        const whole = new Set(deletions.flatMap(({ id, kinds: only }) => (only === undefined ? [id] : [])));
        const counted = distinct(
          deletions.filter(({ id, kinds: only }) => only === undefined || !whole.has(id)),
          ({ id, kinds: only }) => `${id} ${JSON.stringify(only)}`,
        );
        const found = counted.filter((one) => stored.some((item) => isNamed(item, one))).length;
        expect(reported).toEqual({ deleted: found, notFound: counted.length - found });
        await deliver(user, stored);
        expect(await storedItems(user), 'redelivered').toEqual(left.map(nameOf).sort());
      },
    );
    await fc.assert(property, { numRuns: propertyRuns(25, 300) });
  });
});

it.each([
  ['a session', 'session'],
  ['a score', 'health_score'],
] as const)("keeps another provider's item when deleting %s with the same id", async (_, of) => {
  const user = await fixture.newUser();
  const endMs = START + MS_PER_HOUR;
  await fixture.write(
    user,
    ...[CLOUD, OTHER_CLOUD].flatMap((source): HealthRecord[] => [
      { kind: 'workout', source, externalId: 'same', type: 'running', startMs: START, endMs },
      { kind: 'health_score', source, externalId: 'same', category: 'sleep', value: 80, atMs: START },
    ]),
  );
  const { deleted } = await fixture.write(user, { kind: 'deletion', provider: 'google', of, externalId: 'same' });
  expect(deleted).toMatchObject(of === 'session' ? { sessions: 1, healthScores: 0 } : { sessions: 0, healthScores: 1 });
  const { rows } = await fixture.pool.query(
    `select d.provider from workout join data_source d using (user_key, source_id) where user_key = $1
     union all select provider from health_score where user_key = $1 order by provider`,
    [user],
  );
  expect(rows.map(({ provider }) => provider)).toEqual(['google', 'whoop', 'whoop']);
});

it.each([
  ['keeps', 'one stage', 1],
  ['drops', 'all stages', 2],
] as const)('%s the score of a delayed night after a later deletion of %s', async (_verb, _stages, deletedStages) => {
  const user = await fixture.newUser();
  const sentAtMs = START + MS_PER_HOUR;
  const pushedBy = (receivedAtMs: number) => ({ ...PUSHED_BY, receivedAtMs });
  const stage = (index: number): HealthRecord => ({
    kind: 'sleep_stage',
    source: WATCH,
    stage: 'deep',
    startMs: START + index * MS_PER_MINUTE,
    endMs: START + (index + 1) * MS_PER_MINUTE,
    sessionId: 'night',
    pushedId: `stage-${index}`,
  });
  const range = {
    kinds: 'sleep' as const,
    source: WATCH,
    startMs: START,
    endMs: START + deletedStages * MS_PER_MINUTE,
  };
  // The deletion needs a known source.
  await fixture.write(user, { ...recordOf({ kind: 'workout', origin: 'push', source: WATCH, startMs: START }) });
  const deletion: DeletionRecord = { kind: 'deletion', provider: 'samsung', of: 'pushed', items: [range] };
  await fixture.writer.write(user, { ...batchOf([deletion]), pushedBy: pushedBy(sentAtMs + 1) });
  const score: HealthRecord = {
    kind: 'health_score',
    source: WATCH,
    externalId: 'night',
    category: 'sleep',
    value: 80,
    atMs: START,
  };
  const delayed = { ...batchOf([stage(0), stage(1), score]), pushedBy: pushedBy(sentAtMs) };
  await fixture.writer.write(user, delayed, { keepStored: true });
  const stages = (await storedItems(user)).filter((row) => row.startsWith('sleep_stage'));
  expect(stages).toHaveLength(2 - deletedStages);
  const { rows } = await fixture.pool.query('select from health_score where user_key = $1', [user]);
  expect(rows).toHaveLength(deletedStages === 2 ? 0 : 1);
});

function distinct<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

/** Stores the items as pushes and files deliver them. Only pushes contain ids of samples. */
async function deliver(user: number, items: readonly Item[]): Promise<void> {
  const filed = items.filter(({ origin }) => origin === 'file');
  await fixture.writer.write(user, batchOf(filed.map(recordOf)), { fromFile: true });
  const pushed = new BatchBuilder(items.length);
  for (const item of items.filter(({ origin }) => origin === 'push')) {
    pushed.add(recordOf(item));
    if (item.kind === 'sample') pushed.markPushed(idOf(item), undefined);
  }
  await fixture.writer.write(user, { ...pushed.take(), pushedBy: PUSHED_BY });
}

function deletePushed(user: number, ...items: PushedDeletion[]) {
  const deletion: DeletionRecord = { kind: 'deletion', provider: 'samsung', of: 'pushed', items };
  return fixture.writer.write(user, { ...batchOf([deletion]), pushedBy: PUSHED_BY });
}

async function storedItems(user: number): Promise<string[]> {
  const { rows } = await fixture.pool.query<{ row: string }>(
    `select kind || ' ' || d.device_model || ' ' || (extract(epoch from start_at) * 1000)::bigint as row
       from (select 'sample' as kind, user_key, source_id, start_at from sample
             union all select 'sleep_stage', user_key, source_id, start_at from sleep_stage
             union all select 'workout', user_key, source_id, start_at from workout) stored
       join data_source d using (user_key, source_id) where user_key = $1 order by row`,
    [user],
  );
  return rows.map(({ row }) => row).sort();
}

function nameOf({ kind, source, startMs }: Item): string {
  return `${kind} ${source.deviceModel} ${startMs}`;
}

function isOf(kind: Item['kind'], kinds: PushedKinds): boolean {
  if (typeof kinds === 'object') return kind === 'sample' && kinds.typeIds.includes(HEART_RATE);
  return kinds === 'sleep' ? kind === 'sleep_stage' : kind === 'workout';
}

function idOf(item: Item): string {
  return item.id ?? nameOf(item);
}

function recordOf(item: Item): HealthRecord {
  const { kind, source, startMs } = item;
  const endMs = startMs + MS_PER_MINUTE;
  const isPushed = item.origin === 'push';
  const id = idOf(item);
  if (kind === 'sample') {
    const externalId = isPushed ? { externalId: id } : {};
    return { kind, source, typeId: HEART_RATE, startMs, value: 60, sampleKind: 'sample', ...externalId };
  }
  if (kind === 'sleep_stage') return { kind, source, stage: 'deep', startMs, endMs, sessionId: id };
  return { kind, source, type: 'running', startMs, endMs, ...(isPushed && { pushedId: id }) };
}
