import {
  batchOf,
  fromDayNumber,
  type HealthRecord,
  MS_PER_DAY,
  MS_PER_MINUTE,
  type SourceIdentity,
} from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { RANDOM_START, randomRecord, randomRemoval } from '../../../../test/support/random-records.js';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { inTransaction } from '../../platform/database/index.js';
import { expireUser } from '../archive/index.js';
import { mergeDays } from '../derived/merged/merged-days.js';
import { mergeAndCache } from '../derived/merged/merged-store.js';
import type { MergeQuery } from '../derived/merged/merge-sources.js';
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

/** Two devices of one cloud account, and one device of another provider. */
const CLOUD: SourceIdentity[] = ['Ring', 'Watch'].map((deviceModel) => ({ provider: 'polar', deviceModel }));
const PHONE: SourceIdentity = { provider: 'apple', deviceModel: 'iPhone15,2' };
/** Instants around midnight. Intervals, nights and a vendor's nightly values reach from one local day into the next. */
const nearMidnight = fc
  .tuple(fc.nat({ max: 3 }), fc.integer({ min: -90, max: 360 }))
  .map(([day, minute]) => RANDOM_START + day * MS_PER_DAY + minute * MS_PER_MINUTE);
const nearMidnightRecord = fc
  .record({
    of: fc.constantFrom('steps' as const, 'steps' as const, 'pulse' as const, 'mean' as const, 'night' as const),
    source: fc.constantFrom(...CLOUD, PHONE),
    offsetMinutes: fc.constantFrom(0, 0, 60, -480),
    startMs: nearMidnight,
    minutes: fc.integer({ min: 10, max: 180 }),
    value: fc.integer({ min: 40, max: 120 }),
  })
  .map(({ of, minutes, value, ...placed }): HealthRecord => {
    const endMs = placed.startMs + minutes * MS_PER_MINUTE;
    if (of === 'night') return { kind: 'sleep_session', ...placed, startMs: placed.startMs - MS_PER_DAY / 3, endMs };
    const [typeId, durationMs] = of === 'steps' ? [80, minutes * MS_PER_MINUTE] : [1, undefined];
    return { kind: 'sample', typeId, value, sampleKind: of === 'mean' ? 'aggregate' : 'sample', durationMs, ...placed };
  });

const ORDER: Pick<MergeQuery, 'typeIds' | 'firstDay' | 'lastDay' | 'compare'> = {
  typeIds: [80],
  firstDay: FIRST_DAY,
  lastDay: FIRST_DAY + DAYS.length,
  compare: (a, b) => a.sourceId - b.sourceId,
};

async function accountsOf(user: number): Promise<Pick<MergeQuery, 'provider' | 'account'>[]> {
  const { rows } = await fixture.pool.query(
    'select distinct provider, account from data_source where user_key = $1 order by 1, 2',
    [user],
  );
  return rows;
}

/** Stores the merged totals of all days, as reads do. */
async function cacheTotals(user: number): Promise<void> {
  for (const account of await accountsOf(user)) await mergeAndCache(fixture.pool, user, { ...ORDER, ...account }, 0);
}

/** Expects that each stored total equals a total that is merged now. */
async function expectCurrentTotals(user: number): Promise<void> {
  const { rows } = await fixture.pool.query<{ key: string; total: number }>(
    `select provider || ' ' || account || ' ' || local_date as key, total from day_merged where user_key = $1`,
    [user],
  );
  const current = new Map<string, number>();
  for (const { provider, account } of await accountsOf(user)) {
    const days = await inTransaction(fixture.pool, (client) =>
      mergeDays(client, user, { ...ORDER, provider, account }),
    );
    for (const { day, total } of days) current.set(`${provider} ${account ?? ''} ${fromDayNumber(day)}`, total);
  }
  for (const { key, total } of rows) expect(total, key).toBeCloseTo(current.get(key) ?? Number.NaN, 6);
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
      { numRuns: propertyRuns(15, 1_000), endOnFailure: true },
    );
  });

  it('equal recomputed roll-ups near midnight, before and after an expiry', async () => {
    const batches = fc.array(fc.array(nearMidnightRecord, { minLength: 1, maxLength: 6 }), {
      minLength: 2,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: 0, max: 4 }), async (all, expiredDays) => {
        const user = await fixture.newUser();
        for (const records of all) {
          await cacheTotals(user);
          const [own, cloud] = [records.filter(isOfPhone), records.filter((record) => !isOfPhone(record))];
          await fixture.writer.write(user, batchOf(own));
          await fixture.writer.write(user, batchOf(cloud), { account: 'a1' });
        }
        await expectCurrentTotals(user);
        const stored = await rollUps(user);
        await recompute(user);
        expect(stored).toEqual(await rollUps(user));

        await cacheTotals(user);
        const beforeDay = FIRST_DAY + 2 + expiredDays;
        await expireUser(fixture.pool, user, { beforeDay, cloudOf: 'polar', audit: async () => {} });
        await expectCurrentTotals(user);
        const left = await rollUps(user);
        await recompute(user);
        expect(left).toEqual(await rollUps(user));
      }),
      { numRuns: propertyRuns(30, 1_000), endOnFailure: true },
    );
  });
});

function isOfPhone(record: HealthRecord): boolean {
  return 'source' in record && record.source === PHONE;
}
