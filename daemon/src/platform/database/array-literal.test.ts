import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { arrayLiteral } from './array-literal.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('passes arrays of strings with any characters unchanged', async () => {
  const texts = ['plain', '', 'NULL', 'a "quoted" one', 'back\\slash', '{1,2}', 'comma, and\nline', "it's"];
  const { rows } = await database.pool.query('select $1::text[] as texts', [arrayLiteral([...texts, undefined])]);
  expect(rows[0].texts).toEqual([...texts, null]);
});
