import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { listedNumbers, numberList } from './number-list.js';

describe('numbers listed by Postgres', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase({ maxConnections: 1 });
  });
  afterAll(async () => database.drop());

  async function listed(values: readonly (number | null)[]): Promise<(number | null)[]> {
    const { rows } = await database.pool.query<{ list: string }>(
      `select ${listedNumbers('value')} as list from (
         select value from unnest($1::float8[]) with ordinality as given(value, place) order by place
       ) ordered`,
      [values],
    );
    return numberList(rows[0]?.list ?? '');
  }

  it('keeps every digit of a double and null for missing values', async () => {
    const values = [0.1 + 0.2, null, -1 / 3, 5e-324, 1.7976931348623157e308, 2 ** 53 - 1, 1e21, 0, null];
    expect(await listed(values)).toEqual(values);
  });

  it('distinguishes infinite sums from NaN', async () => {
    const sums = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 1];
    expect(await listed(sums)).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null, 1]);
  });

  it('returns an empty list without rows', () => {
    expect(numberList('')).toEqual([]);
  });
});
