import { expect, test } from 'vitest';
import { createTestDatabase } from '../../support/postgres.js';
import { FLOORS } from './floors.js';

test('prepares every comparison statement on the current schema', async () => {
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
