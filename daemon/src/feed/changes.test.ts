import { batchOf, dayNumber, type HealthRecord, MS_PER_DAY, seriesTypeById } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/extent.js';
import { randomRecord, randomRemoval } from '../../../test/support/random-records.js';
import { openRecordFixture, type RecordFixture } from '../../../test/support/record-fixture.js';
import { onCommit } from '../platform/database/index.js';
import type { DataChange } from './change-rows.js';
import { setFeed } from './epoch.js';
import { storeChanges } from './outbox.js';

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

/** Tables of items, with the columns that only the service uses. */
const ITEMS = {
  sleep: { table: 'sleep_session', internal: ['updated_at', 'created_at', 'counted_as_nap', 'summary_date'] },
  workout: { table: 'workout', internal: ['updated_at', 'created_at', 'pushed'] },
  menstrual_cycle: { table: 'menstrual_cycle', internal: ['updated_at', 'created_at'] },
  health_score: { table: 'health_score', internal: ['updated_at', 'created_at'] },
} as const;

interface Content {
  /** Samples by row key, each with its type, possible local days and value. */
  samples: Map<string, { type: string; days: number[]; value: string }>;
  items: Record<keyof typeof ITEMS, Map<string, string>>;
}

/** Reads all data that the feed must report. Queries the tables directly, without the feed's code. */
async function contentOf(user: number): Promise<Content> {
  const samples: Content['samples'] = new Map();
  const { rows } = await fixture.pool.query<{
    type_id: number;
    source_id: number;
    slot: number;
    ms: number;
    offset_minutes: number | null;
    value: number;
    duration_ms: number | null;
  }>(
    `select type_id, source_id, slot, extract(epoch from start_at)::float8 * 1000 as ms, offset_minutes, value, duration_ms
       from sample where user_key = $1`,
    [user],
  );
  for (const { type_id, source_id, slot, ms, offset_minutes, value, duration_ms } of rows) {
    const day = (minutes: number) => Math.floor((ms + minutes * 60_000) / MS_PER_DAY);
    // The local day of a sample without an offset depends on the user's other data.
    const days = offset_minutes === null ? [day(-840), day(0), day(840)] : [day(offset_minutes)];
    samples.set(`${type_id} ${source_id} ${ms} ${slot}`, {
      type: seriesTypeById(type_id)?.code ?? '',
      days,
      value: `${value} ${duration_ms} ${offset_minutes}`,
    });
  }
  const items = {} as Content['items'];
  for (const [kind, { table, internal }] of Object.entries(ITEMS)) {
    const found = await fixture.pool.query<{ id: string; row: string }>(
      `select id, (to_jsonb(t) - $2::text[])::text as row from ${table} t where user_key = $1`,
      [user, internal],
    );
    items[kind as keyof typeof ITEMS] = new Map(found.rows.map(({ id, row }) => [id, row]));
  }
  return { samples, items };
}

interface StoredChange extends DataChange {
  number: number;
}

async function changesAfter(user: number, number: number): Promise<StoredChange[]> {
  const { rows } = await fixture.pool.query<StoredChange>(
    'select number, kind, body from change where user_key = $1 and is_data and number > $2 order by number',
    [user, number],
  );
  return rows;
}

function includesDay(days: readonly { from: string; to: string }[], day: number): boolean {
  return days.some(({ from, to }) => (dayNumber(from) as number) <= day && day <= (dayNumber(to) as number));
}

/** Checks that the entries report every difference, and report no type or item that did not change. */
function expectReported(before: Content, after: Content, entries: readonly StoredChange[]): void {
  const reported = (type: string, days: readonly number[], ...actions: string[]) =>
    entries.some(
      ({ kind, body }) =>
        kind === 'samples' &&
        body.type === type &&
        actions.includes(body.action) &&
        days.some((day) => includesDay(body.days, day)),
    );
  const changedTypes = new Set<string>();
  for (const [key, { type, days, value }] of after.samples) {
    const old = before.samples.get(key);
    if (old?.value === value) continue;
    changedTypes.add(type);
    // A sample whose key changes appears as a new row, and is reported as corrected.
    expect(reported(type, days, 'created', 'corrected'), `${key} is new or changed`).toBe(true);
  }
  for (const [key, { type, days }] of before.samples) {
    if (after.samples.has(key)) continue;
    changedTypes.add(type);
    expect(reported(type, days, 'deleted', 'corrected'), `${key} is deleted`).toBe(true);
  }
  for (const { kind, body } of entries) {
    if (kind === 'samples' && body.action !== 'redated')
      expect(changedTypes, JSON.stringify(body)).toContain(body.type);
  }
  for (const kind of Object.keys(ITEMS) as (keyof typeof ITEMS)[]) {
    const actions = new Map<string, string[]>();
    for (const entry of entries) {
      if (entry.kind !== kind) continue;
      for (const id of entry.body.ids ?? []) actions.set(id, [...(actions.get(id) ?? []), entry.body.action]);
    }
    for (const id of new Set([...before.items[kind].keys(), ...after.items[kind].keys(), ...actions.keys()])) {
      const [old, now] = [before.items[kind].get(id), after.items[kind].get(id)];
      const expected =
        old === now ? [] : old === undefined ? ['created'] : now === undefined ? ['deleted'] : ['corrected'];
      const found = (actions.get(id) ?? []).map((action) => (action === 'redated' ? 'corrected' : action));
      expect({ kind, id, actions: found }).toEqual({ kind, id, actions: expected });
    }
  }
}

const batch = fc.array(fc.oneof({ arbitrary: randomRecord, weight: 5 }, { arbitrary: randomRemoval, weight: 1 }), {
  minLength: 1,
  maxLength: 25,
});

describe('the changes of a batch', () => {
  it('report exactly the differences in the stored data', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 5 }), async (batches: HealthRecord[][]) => {
        const user = await fixture.newUser();
        let before = await contentOf(user);
        let position = 0;
        for (const records of batches) {
          await fixture.writer.write(user, batchOf(records));
          const after = await contentOf(user);
          const entries = await changesAfter(user, position);
          expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => position + index + 1));
          expectReported(before, after, entries);
          position += entries.length;
          before = after;
        }
      }),
      { numRuns: propertyRuns(40, 2_000), endOnFailure: true },
    );
  });

  it('contain only summary changes, if any, for a redelivered batch', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomRecord, { minLength: 1, maxLength: 25 }), async (records) => {
        const user = await fixture.newUser();
        await fixture.writer.write(user, batchOf(records));
        const position = (await changesAfter(user, 0)).length;
        await fixture.writer.write(user, batchOf(records));
        const again = await changesAfter(user, position);
        expect(again.filter(({ kind }) => kind !== 'summary')).toEqual([]);
      }),
      { numRuns: propertyRuns(15, 500), endOnFailure: true },
    );
  });
});
