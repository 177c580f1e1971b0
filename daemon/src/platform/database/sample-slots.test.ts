import { isOfUnknownId, kindOfSlot } from '@healthd/model';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../../../../test/support/postgres.js';
import { migrate } from './migrate.js';
import { sampleSlots } from './migrations/superseded/2026-11-22_98_sample_slots.js';
import { superseded } from './migrations/superseded/index.js';

it('samples that were stored before ids were recorded keep their kind and order, and are marked', async () => {
  const database = await createTestDatabase();
  try {
    await database.pool.query('drop schema public cascade');
    await database.pool.query('create schema public');
    await migrate(database.url, superseded.slice(0, superseded.indexOf(sampleSlots)));
    await database.pool.query(
      `insert into sample (user_key, start_at, value, source_id, duration_ms, type_id, offset_minutes, kind)
       select 1, '2026-03-10T00:00Z', kind * 10, 1, 60000, 80, 60, kind from generate_series(0, 2) as kind`,
    );
    await migrate(database.url);
    const { rows } = await database.pool.query(
      'select value, duration_ms, offset_minutes, slot from sample where user_key = 1 order by type_id, start_at, source_id, slot',
    );
    expect(rows.map(({ value, slot }) => [value, kindOfSlot(slot), isOfUnknownId(slot)])).toEqual([
      [0, 0, true],
      [10, 1, true],
      [20, 2, true],
    ]);
    expect(rows[0]).toMatchObject({ duration_ms: 60_000, offset_minutes: 60 });
    const { rows: keys } = await database.pool.query(
      "select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = 'sample'::regclass and indisprimary",
    );
    expect(keys[0].definition).toContain('(user_key, type_id, start_at, source_id, slot)');
  } finally {
    await database.drop();
  }
});
