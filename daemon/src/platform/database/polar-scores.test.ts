import { expect, it } from 'vitest';
import { createTestDatabase } from '../../../../test/support/postgres.js';
import { migrate } from './migrate.js';
import { polarScores } from './migrations/2026-11-27_60_polar_scores.js';
import { migrations } from './migrations/index.js';

it('moves bedtime scores out of sleep and turns Polar devices into watches', async () => {
  const database = await createTestDatabase();
  try {
    await database.pool.query('drop schema public cascade');
    await database.pool.query('create schema public');
    await migrate(database.url, migrations.slice(0, migrations.indexOf(polarScores)));
    await database.pool.query(
      `insert into health_score (user_key, source_id, provider, category, external_id, value, recorded_at, components)
       values (1, 1, 'polar', 'sleep', 'night', 83, now(), null),
              (1, 1, 'polar', 'sleep', 'bedtime', 2, now(), '{"sleep_gate_start": {"value": null, "qualifier": null}}')`,
    );
    await database.pool.query('insert into health_user (id) values (gen_random_uuid())');
    await database.pool.query(
      `insert into data_source (user_key, provider, device_model, device_type)
       values (1, 'polar', 'Polar Model Of Tomorrow', 'other'), (1, 'polar', 'Polar H10', 'other'),
              (1, 'apple', 'Polaroid', 'other')`,
    );
    await migrate(database.url);
    const scores = await database.pool.query('select external_id, category from health_score order by external_id');
    expect(scores.rows).toEqual([
      { external_id: 'bedtime', category: 'sleep_timing' },
      { external_id: 'night', category: 'sleep' },
    ]);
    const sources = await database.pool.query('select device_model, device_type from data_source order by 1');
    expect(sources.rows).toEqual([
      { device_model: 'Polar H10', device_type: 'other' },
      { device_model: 'Polar Model Of Tomorrow', device_type: 'watch' },
      { device_model: 'Polaroid', device_type: 'other' },
    ]);
  } finally {
    await database.drop();
  }
});
