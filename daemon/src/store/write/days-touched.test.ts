import { batchOf, fromDayNumber, type HealthRecord, MS_PER_DAY } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { RANDOM_START, randomRecord, randomRemoval } from '../../../../test/support/random-records.js';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { inTransaction } from '../../platform/database/index.js';
import { DirtyDays } from '../facts/dirty-days.js';
import { loadContext } from './load-context.js';
import { refreshRollUps } from './roll-up-invalidations.js';

const TYPE_IDS = [1, 80];
const FIRST_DAY = RANDOM_START / MS_PER_DAY - 2;
const DAYS = Array.from({ length: 10 }, (_, index) => FIRST_DAY + index);
const SLEEP_END_GAP_MINUTES = 60;

let fixture: RecordFixture;

beforeAll(async () => {
  fixture = await openRecordFixture();
});

afterAll(() => fixture.close());

const batch = fc.tuple(
  fc.array(randomRemoval, { maxLength: 2 }),
  fc.array(randomRecord, { minLength: 1, maxLength: 20 }),
);

/** Returns the content of the user's roll-ups. */
async function rollUps(user: number): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const table of ['day_value', 'day_minutes', 'night_value']) {
    const { rows } = await fixture.pool.query<{ row: string }>(
      `select (to_jsonb(t) - 'updated_at' - 'created_at')::text as row from ${table} t where user_key = $1 order by 1`,
      [user],
    );
    content[table] = rows.map(({ row }) => row);
  }
  return content;
}

/** Deletes and recomputes all roll-ups. */
async function recompute(user: number): Promise<void> {
  const { rows: sources } = await fixture.pool.query<{ source_id: number }>(
    'select source_id from data_source where user_key = $1',
    [user],
  );
  const dirtyDays = new DirtyDays();
  for (const typeId of TYPE_IDS) {
    for (const { source_id } of sources) for (const day of DAYS) dirtyDays.add(typeId, source_id, day);
  }
  await inTransaction(fixture.pool, async (client) => {
    for (const table of ['day_value', 'day_minutes', 'night_value']) {
      await client.query(`delete from ${table} where user_key = $1`, [user]);
    }
    const span = { fromMs: RANDOM_START, toMs: RANDOM_START + DAYS.length * MS_PER_DAY };
    const context = await loadContext(client, user, SLEEP_END_GAP_MINUTES, span);
    await refreshRollUps(context, [{ dirtyDays, nights: new Set(DAYS.map(fromDayNumber)) }]);
  });
}

describe('roll-ups after any batches', () => {
  it('equal roll-ups that are computed from scratch', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 4 }), async (batches) => {
        const user = await fixture.newUser();
        for (const [removals, records] of batches) {
          await fixture.writer.write(user, batchOf([...removals, ...records] satisfies HealthRecord[]));
        }
        const stored = await rollUps(user);
        await recompute(user);
        expect(stored).toEqual(await rollUps(user));
      }),
      { numRuns: propertyRuns(25, 1_000), endOnFailure: true },
    );
  });
});
