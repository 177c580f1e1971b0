import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import { arrayType, type EventColumn, elementsOf, selectedColumns, storedValues, valuesOf } from './event-columns.js';

interface Row {
  name?: string;
  atMs?: number;
  count?: number;
  amount?: number;
  isFlagged?: boolean;
  date?: string;
  key?: string;
  details?: object;
}

const COLUMNS: readonly EventColumn<Row>[] = [
  { name: 'name', type: 'text', value: ({ name }) => name },
  { name: 'at', type: 'timestamptz', value: ({ atMs }) => atMs },
  { name: 'count', type: 'integer', value: ({ count }) => count },
  { name: 'amount', type: 'double precision', value: ({ amount }) => amount },
  { name: 'flagged', type: 'boolean', value: ({ isFlagged }) => isFlagged },
  { name: 'day', type: 'date', value: ({ date }) => date },
  { name: 'key', type: 'bigint', value: ({ key }) => key },
  { name: 'details', type: 'jsonb', value: ({ details }) => details },
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ maxConnections: 1 });
  await database.pool.query(
    `create table event (number int, ${COLUMNS.map(({ name, type }) => `"${name}" ${type}`).join(', ')})`,
  );
});
afterAll(() => database.drop());

const text = fc.constantFrom(
  '',
  'a',
  'Morning run',
  'żółw',
  'a\u0000b',
  'lone \ud800 half',
  '😀',
  'quote " and \\ slash',
);
const key = fc.stringMatching(/^[a-z_]{0,4}$/);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const row = fc.record({
  name: optional(text),
  atMs: optional(fc.integer({ min: -1e12, max: 4e12 })),
  count: optional(fc.integer({ min: -5, max: 1e9 })),
  amount: optional(fc.constantFrom(0, -1.5, 1e300, 0.1 + 0.2, Number.NaN, Number.POSITIVE_INFINITY)),
  isFlagged: optional(fc.boolean()),
  date: optional(fc.constantFrom('2026-03-10', '1999-12-31')),
  key: optional(fc.constantFrom('0', '-9007199254740993', '9223372036854775807')),
  details: optional(json.object as fc.Arbitrary<object>),
});

it('reads each stored row back with the same values', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
      const values = rows.map((one) => valuesOf(COLUMNS, one as Row));
      await database.pool.query('truncate event');
      const parameters = COLUMNS.map((column, at) => `$${at + 1}::${arrayType(column)}`).join(', ');
      const names = COLUMNS.map(({ name }) => `"${name}"`).join(', ');
      const selected = COLUMNS.map(({ name, type }) => (type === 'jsonb' ? `"${name}"::jsonb` : `"${name}"`)).join(
        ', ',
      );
      await database.pool.query(
        `insert into event (number, ${names})
         select number, ${selected} from unnest(${parameters}) with ordinality as given (${names}, number)`,
        COLUMNS.map((column) => elementsOf(column, values)),
      );
      const { rows: stored } = await database.pool.query(
        `select ${selectedColumns(COLUMNS)} from event s order by s.number`,
      );
      expect(stored.map((one) => storedValues(COLUMNS, one))).toEqual(values);
    }),
    { numRuns: 30 },
  );
});

it('converts undefined, and numbers that are not finite, to null', () => {
  const values = valuesOf(COLUMNS, { amount: Number.NaN });
  expect(new Set(Object.values(values))).toEqual(new Set([null]));
  expect(Object.keys(values)).toEqual(COLUMNS.map(({ name }) => name));
});
