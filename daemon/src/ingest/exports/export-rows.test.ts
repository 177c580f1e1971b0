import { randomUUID } from 'node:crypto';
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import type { ExportAdapter } from '@healthd/providers';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { inTransaction } from '../../platform/database/index.js';
import { exportArrivals } from './arrivals.js';
import {
  changeExport,
  connectionsWithoutJob,
  endExports,
  exportsOfRun,
  insertExports,
  latestExportRun,
  takenWindows,
} from './export-rows.js';
import { planExports } from './plan-exports.js';

const NOW_MS = Date.UTC(2026, 2, 10, 12);
const NOW = new Date(NOW_MS);

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

const TYPES = [
  { id: 'sleep', delivered: 'sleeps' },
  { id: 'daily', delivered: 'dailies' },
];
const hours = fc.integer({ min: -30 * 24, max: 24 });
const taken = fc
  .record({
    dataType: fc.constantFrom('sleep', 'daily', 'stress'),
    from: hours,
    length: fc.integer({ min: 1, max: 200 }),
  })
  .map(({ dataType, from, length }) => ({
    dataType,
    startMs: NOW_MS + from * MS_PER_HOUR,
    endMs: NOW_MS + (from + length) * MS_PER_HOUR,
  }));

it('covers each hour without an accepted request exactly once', () => {
  const input = fc.record({
    dataTypes: fc.subarray(['sleep', 'daily']),
    windowDays: fc.integer({ min: 1, max: 9 }),
    daysBack: fc.integer({ min: 1, max: 25 }),
    consentedHours: fc.integer({ min: -200, max: 5 }),
    taken: fc.array(taken, { maxLength: 5, size: 'max' }),
  });
  const property = fc.property(input, ({ dataTypes, windowDays, daysBack, consentedHours, taken: accepted }) => {
    const adapter = { types: TYPES, windowDays } as unknown as ExportAdapter;
    const consentedMs = NOW_MS + consentedHours * MS_PER_HOUR;
    const planned = planExports({ adapter, dataTypes, nowMs: NOW_MS, consentedMs, daysBack, taken: accepted });
    const startMs = Math.min(consentedMs, NOW_MS) - daysBack * MS_PER_DAY;
    for (const { id, delivered } of TYPES) {
      const own = planned.filter(({ dataType }) => dataType === id);
      for (const one of own) {
        expect(one.delivered).toBe(delivered);
        expect(one.window.endMs - one.window.startMs).toBeLessThanOrEqual(windowDays * MS_PER_DAY);
      }
      const wrong: number[] = [];
      for (let ms = startMs - MS_PER_DAY; ms < NOW_MS + MS_PER_DAY; ms += MS_PER_HOUR) {
        const isTaken = accepted.some((one) => one.dataType === id && ms >= one.startMs && ms < one.endMs);
        const isWanted = dataTypes.includes(id) && ms >= startMs && ms < NOW_MS && !isTaken;
        const covering = own.filter(({ window }) => ms >= window.startMs && ms < window.endMs);
        if (covering.length !== (isWanted ? 1 : 0)) wrong.push(ms);
      }
      expect(wrong).toEqual([]);
    }
    const ends = planned.map(({ window }) => window.endMs);
    expect(ends).toEqual(ends.toSorted((a, b) => b - a));
  });
  fc.assert(property, { numRuns: 60 });
});

it('plans no remaining window shorter than a minute', () => {
  const adapter = { types: TYPES, windowDays: 5 } as unknown as ExportAdapter;
  const windowsAfter = (seconds: number) => {
    const window = { startMs: NOW_MS - 3 * MS_PER_DAY, endMs: NOW_MS - seconds * 1_000 };
    const facts = { adapter, dataTypes: ['sleep'], nowMs: NOW_MS, consentedMs: NOW_MS, daysBack: 2 };
    return planExports({ ...facts, taken: [{ dataType: 'sleep', ...window }] });
  };
  expect(windowsAfter(59)).toEqual([]);
  expect(windowsAfter(60)).toHaveLength(1);
});

const STATES = ['pending', 'requested', 'covered', 'done', 'empty', 'failed', 'cancelled'] as const;
const window = fc.record({
  run: fc.nat({ max: 2 }),
  type: fc.constantFrom(...TYPES),
  /** Days from the start of the window to now. Windows have five days. */
  back: fc.constantFrom(5, 10, 15),
  state: fc.constantFrom(...STATES),
  askedHours: fc.option(fc.constantFrom(1, 30), { freq: 4 }),
  isRequested: fc.boolean(),
  dueMinutes: fc.constantFrom(-5, 0, 5),
});
const life = fc.record({
  windows: fc.uniqueArray(window, {
    minLength: 4,
    maxLength: 12,
    size: 'max',
    selector: ({ run, type, back }) => `${run} ${type.id} ${back}`,
  }),
  /** True for each run that is open. */
  open: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
});
type Life = typeof life extends fc.Arbitrary<infer Value> ? Value : never;
type Window = Life['windows'][number];

/** Stores runs 0 and 1 of one connection, and run 2 of another connection. */
async function store({ windows, open }: Life) {
  await fixture.pool.query('delete from health_user');
  const connections = [randomUUID(), randomUUID()];
  const users = [await fixture.newUser(), await fixture.newUser()];
  const runs = open.map((_, index) => `run-${index}-${randomUUID()}`);
  for (const [index, id] of connections.entries()) {
    await fixture.pool.query(
      `insert into connection (id, user_key, provider, backfill_started_at) values ($1, $2, 'garmin', now())`,
      [id, users[index]],
    );
  }
  const connectionOf = (run: number) => connections[run === 2 ? 1 : 0] as string;
  for (const [index, runId] of runs.entries()) {
    await fixture.pool.query(
      `insert into sync_run (run_id, user_key, provider, source, stage, status, created_at, ended_at, metadata)
       values ($1, $2, 'garmin', 'backfill', 'fetching', 'in_progress', $3, $4, $5)`,
      [
        runId,
        users[index === 2 ? 1 : 0],
        new Date(NOW_MS + index * MS_PER_MINUTE),
        open[index] ? null : NOW,
        { connection_id: connectionOf(index) },
      ],
    );
    const own = windows.filter(({ run }) => run === index);
    await inTransaction(fixture.pool, (client) =>
      insertExports(
        client,
        { runId, connectionId: connectionOf(index), at: NOW },
        own.map(({ type, back }) => ({ dataType: type.id, delivered: type.delivered, window: spanOf(back) })),
      ),
    );
    for (const one of own) {
      await changeExport(
        fixture.pool,
        { runId, dataType: one.type.id, fromAt: new Date(spanOf(one.back).startMs) },
        {
          state: one.state,
          askedAt: one.askedHours === null ? null : new Date(NOW_MS - one.askedHours * MS_PER_HOUR),
          requestedAt: one.isRequested ? NOW : null,
          nextLookAt: new Date(NOW_MS + one.dueMinutes * MS_PER_MINUTE),
        },
      );
    }
  }
  return { connections, runs };
}

const spanOf = (back: number) => ({ startMs: NOW_MS - back * MS_PER_DAY, endMs: NOW_MS - (back - 5) * MS_PER_DAY });
const isOpen = ({ state }: Window) => state === 'pending' || state === 'requested';

it('finds the same windows and runs as a naive model', async () => {
  const property = fc.asyncProperty(life, async (drawn) => {
    const { windows, open } = drawn;
    const { connections, runs } = await store(drawn);
    const [id = '', otherId = ''] = connections;
    for (const [index, runId] of runs.entries()) {
      const own = windows.filter(({ run }) => run === index);
      const expected = own.toSorted((a, b) => a.back - b.back || (a.type.id < b.type.id ? -1 : 1));
      const found = await exportsOfRun(fixture.pool, runId);
      expect(found.map((one) => [one.dataType, one.fromAt.getTime(), one.state])).toEqual(
        expected.map(({ type, back, state }) => [type.id, spanOf(back).startMs, state]),
      );
    }
    const isTaken = ({ state, askedHours, isRequested }: Window) =>
      askedHours === 1 &&
      (['requested', 'covered', 'done', 'empty'].includes(state) || (state === 'cancelled' && isRequested));
    const accepted = await takenWindows(fixture.pool, id, new Date(NOW_MS - 24 * MS_PER_HOUR));
    const text = ({ dataType, startMs }: { dataType: string; startMs: number }) => `${dataType} ${startMs}`;
    expect(accepted.map(text).toSorted()).toEqual(
      windows
        .filter((one) => one.run !== 2 && isTaken(one))
        .map(({ type, back }) => `${type.id} ${spanOf(back).startMs}`)
        .toSorted(),
    );
    const latest = open[1] || !open[0] ? 1 : 0;
    expect(await latestExportRun(fixture.pool, id)).toMatchObject({ runId: runs[latest], isOpen: open[latest] });
    expect(await latestExportRun(fixture.pool, otherId)).toMatchObject({ runId: runs[2] });

    const isNeeded = (run: number) => {
      const own = windows.filter((one) => one.run === run);
      if (!open[run] || own.length === 0) return false;
      return own.some((one) => isOpen(one) && one.dueMinutes <= 0) || !own.some(isOpen);
    };
    const needed = [...(isNeeded(0) || isNeeded(1) ? [id] : []), ...(isNeeded(2) ? [otherId] : [])];
    const waiting = await connectionsWithoutJob(fixture.pool, 'export', { providers: ['garmin'], now: NOW, limit: 10 });
    expect(waiting.toSorted()).toEqual(needed.toSorted());
  });
  await fc.assert(property, { numRuns: 15, endOnFailure: true });
});

it('updates windows to the same arrivals and states as a naive model', async () => {
  const arrival = fc.record({ type: fc.constantFrom(...TYPES), hour: fc.integer({ min: -16 * 24, max: 0 }) });
  const property = fc.asyncProperty(
    life,
    fc.array(arrival, { minLength: 1, maxLength: 8, size: 'max' }),
    fc.constantFrom('failed' as const, 'cancelled' as const),
    async (drawn, arrivals, end) => {
      const { connections, runs } = await store(drawn);
      const items = arrivals.map(({ type, hour }) => {
        const startMs = NOW_MS + hour * MS_PER_HOUR;
        return { delivered: type.delivered, span: { startMs, endMs: startMs } };
      });
      const at = new Date(NOW_MS + 1_000);
      await inTransaction(fixture.pool, (client) =>
        exportArrivals.recordArrivals(client, connections[0] as string, items, at),
      );
      await endExports(fixture.pool, runs[0] as string, { state: end, error: 'gone' });
      for (const [index, runId] of runs.entries()) {
        for (const found of await exportsOfRun(fixture.pool, runId)) {
          const one = drawn.windows.find(
            ({ run, type, back }) =>
              run === index && type.id === found.dataType && spanOf(back).startMs === found.fromAt.getTime(),
          ) as Window;
          const { startMs, endMs } = spanOf(one.back);
          const isCounted = index !== 2 && one.askedHours !== null && (isOpen(one) || one.state === 'cancelled');
          // Items of the window's last day arrive without a request.
          const counted = items.filter(
            ({ delivered, span }) =>
              isCounted &&
              delivered === one.type.delivered &&
              span.startMs >= startMs &&
              span.startMs < endMs - MS_PER_DAY,
          );
          const isEnded = index === 0 && isOpen(one);
          expect(found).toMatchObject({
            items: counted.length,
            firstItemAt: counted.length > 0 ? at : null,
            lastItemAt: counted.length > 0 ? at : null,
            state: isEnded ? end : one.state,
            error: isEnded ? 'gone' : null,
          });
        }
      }
    },
  );
  await fc.assert(property, { numRuns: 15, endOnFailure: true });
});
