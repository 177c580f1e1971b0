import { type HealthRecord, MS_PER_DAY, MS_PER_HOUR, type SampleRecord, seriesTypeByCode } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/extent.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { recordedUser, writeRecords } from '../../../test/support/recorded-user.js';
import { GARMIN, sample, WATCH } from '../../../test/support/records.js';
import { readRecovery } from './nights/recovery-summary.js';
import { readTimeseries } from './timeseries/timeseries.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => database.drop());

const FIRST = Date.parse('2026-03-01T00:00:00Z');
const SLOTS = 24;
const range = { start: { ms: FIRST, dateOnly: true }, end: { ms: FIRST + SLOTS * MS_PER_DAY, dateOnly: false } };
const RESTING = seriesTypeByCode('resting_heart_rate').id;

/** Returns the sample of a slot. Two slots of different sources share each instant. */
const slotSample = (slot: number, value: number): SampleRecord =>
  sample(
    'resting_heart_rate',
    new Date(FIRST + Math.floor(slot / 2) * 2 * MS_PER_DAY + 5 * MS_PER_HOUR).toISOString(),
    value,
    {
      source: slot % 2 === 0 ? WATCH : GARMIN,
    },
  );

/** Some samples exist throughout; others are written and deleted. */
const history = fc.record({
  stable: fc.uniqueArray(fc.integer({ min: 0, max: SLOTS - 1 }), { minLength: 3, maxLength: 16 }),
  changes: fc.array(fc.record({ slot: fc.integer({ min: 0, max: SLOTS - 1 }), appears: fc.boolean() }), {
    maxLength: 40,
  }),
  limit: fc.integer({ min: 1, max: 5 }),
});

interface Walked<Row> {
  data: Row[];
  pagination: { next_cursor: string | null; previous_cursor: string | null };
}

/** Pages to the end and back to the start. Calls `change` before every page except the first. */
async function walk<Row>(
  read: (cursor?: string) => Promise<Walked<Row>>,
  change: () => Promise<void>,
): Promise<{ forward: Row[]; back: Row[] }> {
  let page = await read();
  const forward = [...page.data];
  while (page.pagination.next_cursor !== null) {
    await change();
    page = await read(page.pagination.next_cursor);
    forward.push(...page.data);
  }
  const back = [...page.data];
  while (page.pagination.previous_cursor !== null) {
    await change();
    page = await read(page.pagination.previous_cursor);
    back.unshift(...page.data);
  }
  return { forward, back };
}

/** Returns a function that writes or deletes the next sample that is not stable. */
function changer(userKey: number, stable: readonly number[], changes: { slot: number; appears: boolean }[]) {
  let next = 0;
  return async () => {
    const change = changes[next++];
    if (!change || stable.includes(change.slot)) return;
    const { startMs, source } = slotSample(change.slot, 0);
    const record: HealthRecord = change.appears
      ? slotSample(change.slot, 90)
      : { kind: 'deletion', of: 'samples', provider: source.provider, typeId: RESTING, startMs, endMs: startMs + 1 };
    await writeRecords(database, userKey, [record]);
  };
}

function expectComplete(seen: readonly string[], stable: readonly string[]): void {
  expect([...seen].sort()).toEqual([...seen]);
  expect(new Set(seen).size).toBe(seen.length);
  for (const one of stable) expect(seen).toContain(one);
}

describe('paging during writes and deletions', () => {
  it('visits every remaining sample once', async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ stable, changes, limit }) => {
        const { id, userKey } = await recordedUser(database, ...stable.map((slot) => slotSample(slot, 60)));
        const params = { ...range, types: ['resting_heart_rate'] as const, endName: 'end_time', limit };
        const { forward, back } = await walk(
          (cursor) => readTimeseries(database, id, { ...params, resolution: 'raw', cursor }),
          changer(userKey, stable, changes),
        );
        const name = (row: { timestamp: string; source: { provider: string } }) =>
          `${row.timestamp} ${row.source.provider}`;
        const kept = stable.map((slot) => {
          const { startMs, source } = slotSample(slot, 0);
          return `${new Date(startMs).toISOString().replace('.000Z', 'Z')} ${source.provider}`;
        });
        for (const rows of [forward, back]) {
          const seen = rows.map(name);
          expect(rows.map(({ timestamp }) => timestamp)).toEqual(rows.map(({ timestamp }) => timestamp).sort());
          expect(new Set(seen).size).toBe(seen.length);
          expect(seen).toEqual(expect.arrayContaining(kept));
        }
      }),
      { numRuns: propertyRuns(5, 15) },
    );
  });

  it('visits every remaining recovery date once', async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ stable, changes, limit }) => {
        const { userKey } = await recordedUser(database, ...stable.map((slot) => slotSample(slot, 60)));
        const { forward, back } = await walk(
          (cursor) => readRecovery(database, userKey, { ...range, limit, cursor }),
          changer(userKey, stable, changes),
        );
        const kept = stable.map((slot) => new Date(slotSample(slot, 0).startMs).toISOString().slice(0, 10));
        for (const rows of [forward, back]) {
          expectComplete(
            rows.map(({ date }) => date),
            kept,
          );
        }
      }),
      { numRuns: propertyRuns(5, 15) },
    );
  });
});

describe('pages of a time series', () => {
  const RESOLUTIONS = ['raw', '15min', '1hour'] as const;
  /** Intervals of up to 20 hours, some of which reach into the range or out of it. */
  const interval = fc
    .record({
      hour: fc.integer({ min: -20, max: 10 * 24 }),
      minutes: fc.constantFrom(0, 10, 90, 20 * 60),
      code: fc.constantFrom('steps' as const, 'heart_rate' as const),
      source: fc.constantFrom(WATCH, GARMIN),
    })
    .map(({ hour, minutes, code, source }) =>
      sample(code, new Date(FIRST + hour * MS_PER_HOUR).toISOString(), 64, { minutes, source }),
    );
  const days = fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 1, max: 9 }));

  it('equal one large page for any size and direction', async () => {
    const property = fc.asyncProperty(
      fc.array(interval, { minLength: 1, maxLength: 12 }),
      days,
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom(...RESOLUTIONS),
      async (samples, [from, length], limit, resolution) => {
        const { id } = await recordedUser(database, ...samples);
        const start = { ms: FIRST + from * MS_PER_DAY, dateOnly: false };
        const end = { ms: start.ms + length * MS_PER_DAY, dateOnly: false };
        const params = { start, end, types: ['steps', 'heart_rate'] as const, endName: 'end_time', resolution };
        const whole = await readTimeseries(database, id, { ...params, limit: 10_000, cursor: undefined });
        const { forward, back } = await walk(
          (cursor) => readTimeseries(database, id, { ...params, limit, cursor }),
          async () => {},
        );
        expect(forward).toEqual(whole.data);
        expect(back).toEqual(whole.data);
      },
    );
    await fc.assert(property, { numRuns: propertyRuns(30, 400) });
  });

  it('show an interval that starts before the range, in both directions', async () => {
    const { id } = await recordedUser(
      database,
      sample('steps', '2026-03-01T22:00:00Z', 60, { minutes: 180 }),
      sample('steps', '2026-03-09T12:00:00Z', 10, { minutes: 10 }),
    );
    const start = { ms: Date.parse('2026-03-02T00:00:00Z'), dateOnly: false };
    const params = { start, end: range.end, types: ['steps'] as const, endName: 'end_time', limit: 1 };
    const { forward, back } = await walk(
      (cursor) => readTimeseries(database, id, { ...params, resolution: '15min', cursor }),
      async () => {},
    );
    expect(back).toHaveLength(5);
    expect(back).toEqual(forward);
  });
});
