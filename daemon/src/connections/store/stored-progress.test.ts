import { randomUUID } from 'node:crypto';
import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { inTransaction } from '../../platform/database/index.js';
import { dueItems, forgetAwaited, recordAwaitedItems } from './awaited-items.js';
import { ConnectionMarks } from './connection-marks.js';
import { moveCursor } from './cursor-moves.js';
import { readTypeStates } from './data-type-state.js';
import { clearRejections, recordOutcomes } from './type-outcomes.js';

const START_MS = Date.UTC(2026, 2, 10);
const TYPES = ['sleep', 'steps'] as const;

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

/** Stores a connection of a new user. */
async function connect(): Promise<string> {
  const id = randomUUID();
  await fixture.pool.query(
    `insert into connection (id, user_key, provider, status) values ($1, $2, 'oura', 'active')`,
    [id, await fixture.newUser()],
  );
  return id;
}

const move = fc.record({
  type: fc.constantFrom(...TYPES),
  hour: fc.integer({ min: 0, max: 12 }),
  hours: fc.integer({ min: 0, max: 6 }),
  followsCursor: fc.boolean(),
});

it('moves a cursor only forward, never over a gap', async () => {
  const property = fc.asyncProperty(fc.array(move, { minLength: 6, maxLength: 12, size: 'max' }), async (moves) => {
    const [id, other] = [await connect(), await connect()];
    const cursors = new Map<string, number>();
    for (const { type, hour, hours, followsCursor } of moves) {
      const fromMs = START_MS + hour * MS_PER_HOUR;
      const cursorMs = fromMs + hours * MS_PER_HOUR;
      await inTransaction(fixture.pool, (client) => moveCursor(client, id, type, { cursorMs, fromMs, followsCursor }));
      const before = cursors.get(type);
      const isAllowed = before === undefined ? followsCursor : cursorMs > before && (followsCursor || fromMs <= before);
      if (isAllowed) cursors.set(type, cursorMs);
      const states = await readTypeStates(fixture.pool, id, undefined);
      for (const each of TYPES) expect(states.get(each)?.cursorMs).toBe(cursors.get(each));
    }
    expect(await readTypeStates(fixture.pool, other, undefined)).toEqual(new Map());
  });
  await fc.assert(property, { numRuns: 15, endOnFailure: true });
});

const outcome = fc.record({
  reports: fc.dictionary(fc.constantFrom(...TYPES), fc.constantFrom('success', 'partial', 'failed', 'skipped')),
  isCleared: fc.boolean(),
  changedHour: fc.option(fc.integer({ min: 0, max: 8 })),
});

it('derives the state of each data type from its last outcomes', async () => {
  const property = fc.asyncProperty(
    fc.array(outcome, { minLength: 3, maxLength: 6, size: 'max' }),
    async (outcomes) => {
      const id = await connect();
      const last = new Map<string, { status: string | undefined; at: number; successAt?: number | undefined }>();
      for (const [hour, { reports, isCleared, changedHour }] of outcomes.entries()) {
        const at = START_MS + hour * MS_PER_HOUR;
        await inTransaction(fixture.pool, async (client) => {
          const listed = Object.entries(reports).map(([type, status]) => [type, { status }]);
          await recordOutcomes(client, id, Object.fromEntries(listed), new Date(at));
          if (isCleared) await clearRejections(client, id);
        });
        for (const [type, status] of Object.entries(reports)) {
          last.set(type, { status, at, successAt: status === 'success' ? at : last.get(type)?.successAt });
        }
        for (const [type, state] of last) {
          if (isCleared && state.status === 'skipped') last.set(type, { ...state, status: undefined });
        }
        const changedMs = changedHour === null ? undefined : START_MS + changedHour * MS_PER_HOUR;
        const states = await readTypeStates(
          fixture.pool,
          id,
          changedMs === undefined ? undefined : new Date(changedMs),
        );
        expect([...states.keys()].toSorted()).toEqual([...last.keys()].toSorted());
        for (const [type, { status, at: runAt, successAt }] of last) {
          expect(states.get(type)).toEqual({
            cursorMs: undefined,
            isSettled: status === 'success' && (changedMs === undefined || (successAt as number) > changedMs),
            lastSuccessAt: successAt === undefined ? undefined : new Date(successAt),
            rejectedAt: status === 'skipped' ? new Date(runAt) : undefined,
          });
        }
      }
    },
  );
  await fc.assert(property, { numRuns: 12, endOnFailure: true });
});

const ITEMS = ['a', 'b', 'c'] as const;
const reading = fc.record({
  /** Hours since the previous reading. */
  hours: fc.constantFrom(0, 1, 3, 9, 27, 81),
  type: fc.constantFrom('activity', 'activity', 'sleep'),
  /** Range of the reading, in days before the first reading. */
  from: fc.integer({ min: 1, max: 8 }),
  days: fc.integer({ min: 1, max: 8 }),
  missing: fc.subarray([...ITEMS]),
  only: fc.option(fc.subarray([...ITEMS]), { freq: 3 }),
});
/** Days of each item before the first reading. Items of more than five days are not awaited. */
const AGES = { a: 1, b: 4, c: 6 } as const;

it('requests missing items six times with growing delays', async () => {
  const property = fc.asyncProperty(
    fc.array(reading, { minLength: 8, maxLength: 16, size: 'max' }),
    async (readings) => {
      const [id, other] = [await connect(), await connect()];
      const awaited = new Map<
        string,
        { type: string; item: (typeof ITEMS)[number]; atMs: number; requests: number; nextMs: number }
      >();
      let nowMs = START_MS;
      for (const { hours, type, from, days, missing, only } of readings) {
        nowMs += hours * MS_PER_HOUR;
        const startMs = START_MS - from * MS_PER_DAY;
        const endMs = startMs + days * MS_PER_DAY;
        const atOf = (item: (typeof ITEMS)[number]) => START_MS - AGES[item] * MS_PER_DAY;
        const isRead = (item: (typeof ITEMS)[number]) =>
          atOf(item) >= startMs && atOf(item) < endMs && (only === null || only.includes(item));
        const found = missing.filter(isRead);
        const window = { startMs, endMs, ...(only !== null && { items: only }) };
        const result = await inTransaction(fixture.pool, (client) =>
          recordAwaitedItems(
            client,
            { connectionId: id, dataType: type },
            window,
            found.map((item) => ({ itemId: item, atMs: atOf(item) })),
            new Date(nowMs),
          ),
        );
        for (const item of ITEMS) if (isRead(item) && !found.includes(item)) awaited.delete(`${type} ${item}`);
        let abandoned = 0;
        for (const item of found) {
          const key = `${type} ${item}`;
          const before = awaited.get(key);
          if (before === undefined) {
            if (atOf(item) > nowMs - 5 * MS_PER_DAY) {
              awaited.set(key, { type, item, atMs: atOf(item), requests: 1, nextMs: nowMs + MS_PER_HOUR });
            }
          } else if (before.nextMs <= nowMs) {
            before.nextMs = nowMs + MS_PER_HOUR * 3 ** before.requests;
            before.requests += 1;
          }
          if ((awaited.get(key)?.requests ?? 0) >= 6) {
            awaited.delete(key);
            abandoned += 1;
          }
        }
        expect(result).toEqual({ waiting: found.filter((item) => awaited.has(`${type} ${item}`)).length, abandoned });
        const due = await inTransaction(fixture.pool, (client) => dueItems(client, id, new Date(nowMs + MS_PER_HOUR)));
        const expected = [...awaited.values()].filter(({ nextMs }) => nextMs <= nowMs + MS_PER_HOUR);
        expect(
          due
            .flatMap(({ dataType, startMs: at, endMs: end, items }) =>
              items.map((item) => `${dataType} ${item} ${at} ${end}`),
            )
            .toSorted(),
        ).toEqual(expected.map(({ type: of, item, atMs }) => `${of} ${item} ${atMs} ${atMs + 1}`).toSorted());
      }
      await inTransaction(fixture.pool, async (client) => {
        await forgetAwaited(client, other);
        expect(await dueItems(client, id, new Date(nowMs + 99 * MS_PER_DAY))).toHaveLength(
          new Set([...awaited.values()].map(({ type, item }) => `${type} ${item}`)).size,
        );
        await forgetAwaited(client, id);
        expect(await dueItems(client, id, new Date(nowMs + 99 * MS_PER_DAY))).toEqual([]);
      });
    },
  );
  await fc.assert(property, { numRuns: 15, endOnFailure: true });
});

it.each(['last_synced_at', 'last_notified_at', 'backfill_started_at'] as const)(
  'keeps the latest time of %s',
  async (column) => {
    const [id, other] = [await connect(), await connect()];
    const marks = new ConnectionMarks(fixture.pool);
    let latest = 0;
    for (const hour of [3, 1, 5, 2]) {
      await marks.mark(column, [id], new Date(START_MS + hour * MS_PER_HOUR));
      latest = Math.max(latest, START_MS + hour * MS_PER_HOUR);
      const { rows } = await fixture.pool.query(`select id, ${column} as at from connection where id = any ($1)`, [
        [id, other],
      ]);
      expect(new Map(rows.map((row) => [row.id, row.at]))).toEqual(
        new Map([
          [id, new Date(latest)],
          [other, null],
        ]),
      );
    }
  },
);
