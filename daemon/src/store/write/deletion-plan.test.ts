import { joinedIdHash, slotOfId } from '@healthd/model';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { pushedColumnOf } from '../facts/pushed/pushed-items.js';
import { findPushedSamples } from '../facts/pushed/pushed-samples.js';
import { hasOneOfKeys, SAMPLE_KEY } from '../facts/samples/sample-batch-columns.js';

const STORED = 20_000;
const DELETED = 2_000;
const START = Date.UTC(2026, 0, 1);
/** Value of the 28 id bits that a slot contains. */
const LOW = 12_345;

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

function rowsRead(plan: Plan): number {
  const own =
    plan['Relation Name'] === 'sample' && plan['Node Type'] !== 'ModifyTable'
      ? ((plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0)) * (plan['Actual Loops'] ?? 0)
      : 0;
  return (plan.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), own);
}

/** Stores one sample per minute after `START`. */
async function store(users: readonly number[], from: number, to: number): Promise<void> {
  await fixture.pool.query(
    `insert into sample (user_key, type_id, start_at, source_id, slot, value)
     select user_key, 1, to_timestamp($2::float8 / 1000) + n * interval '1 minute', 1, 0, 60
       from unnest($1::bigint[]) as user_key, generate_series($3::int, $4::int) n`,
    [users, START, from, to],
  );
}

it('reads only the deleted samples despite outdated planner statistics', async () => {
  const user = await fixture.newUser();
  await store([user, ...Array.from({ length: 200 }, (_, n) => 1_000_000 + n)], 1, 100);
  await fixture.pool.query('analyze sample');
  await store([user], 101, STORED);
  const keys = Array.from({ length: DELETED }, (_, n) => ({
    typeId: 1,
    startMs: START + (n + 1) * 60_000,
    sourceId: 1,
    slot: 0,
  }));
  const { rows } = await fixture.pool.query(
    `explain (analyze, format json) delete from sample s where ${hasOneOfKeys(2)}`,
    [user, ...SAMPLE_KEY.values(keys)],
  );
  expect(rowsRead(rows[0]['QUERY PLAN'][0].Plan)).toBeLessThanOrEqual(2 * DELETED);
  const { rows: left } = await fixture.pool.query('select count(*)::int as n from sample where user_key = $1', [user]);
  expect(left).toEqual([{ n: STORED - DELETED }]);
});

it.each([
  ['share a slot', () => LOW],
  ['have different slots', (n: number) => LOW + n],
])('reads only the samples with the deleted ids if the ids %s', async (_case, lowOf) => {
  const user = await fixture.newUser();
  const push = (users: readonly number[], from: number, to: number) =>
    fixture.pool.query(
      `insert into sample (user_key, type_id, start_at, source_id, slot, value, pushed)
       select user_key, 1, to_timestamp($2::float8 / 1000) + n * interval '1 minute', 1, slots[n - $4 + 1], 60, n * $3
         from unnest($1::bigint[]) as user_key, generate_series($4::int, $5::int) n, (select $6::int[] as slots) given`,
      [
        users,
        START,
        pushedColumnOf(0, 1),
        from,
        to,
        Array.from({ length: to - from + 1 }, (_, at) => slotOfId(0, lowOf(from + at))),
      ],
    );
  // The planner's statistics do not contain the user, so the planner expects few samples.
  await push([2_000_001, 2_000_002, 2_000_003], 1, STORED);
  await fixture.pool.query('analyze sample');
  await push([user], 1, STORED);
  const ids = Array.from({ length: DELETED }, (_, at) => String(joinedIdHash(at + 1, lowOf(at + 1))));
  const explaining = {
    query: (text: string, values: unknown[]) => fixture.pool.query(`explain (analyze, format json) ${text}`, values),
  };
  const rows: unknown[] = await findPushedSamples(explaining as unknown as pg.ClientBase, user, [1], ids);
  const [plan] = rows as [{ 'QUERY PLAN': [{ Plan: Plan }] }];
  expect(rowsRead(plan['QUERY PLAN'][0].Plan)).toBeLessThanOrEqual(2 * DELETED);
  const client = await fixture.pool.connect();
  expect(await findPushedSamples(client, user, [1], ids)).toHaveLength(DELETED);
  client.release();
});
