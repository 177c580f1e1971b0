import { expect, test } from 'vitest';
import { createTestDatabase } from '../../support/postgres.js';
import { FLOORS } from './floors.js';

test('every statement with which the bench compares a route can be prepared on the schema as it is', async () => {
  const database = await createTestDatabase();
  const client = await database.pool.connect();
  try {
    for (const { name, text } of Object.values(FLOORS)) {
      await expect(client.query(`prepare ${name} as ${text}`), name).resolves.toBeDefined();
    }
  } finally {
    client.release();
    await database.drop();
  }
});
