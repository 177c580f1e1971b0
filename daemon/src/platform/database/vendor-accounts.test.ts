import { expect, it } from 'vitest';
import { createTestDatabase } from '../../../../test/support/postgres.js';
import { migrate } from './migrate.js';
import { vendorAccounts } from './migrations/2026-11-27_20_vendor_accounts.js';
import { migrations } from './migrations/index.js';

it('gives stored sources the account of a connection that was never replaced', async () => {
  const database = await createTestDatabase();
  try {
    const { pool } = database;
    await pool.query('drop schema public cascade');
    await pool.query('create schema public');
    await migrate(database.url, migrations.slice(0, migrations.indexOf(vendorAccounts)));
    await pool.query(`
      insert into health_user (user_key, id) overriding system value
        select n, gen_random_uuid() from generate_series(1, 8) n;
      insert into connection (user_key, provider, provider_user_id, cursor_account, created_at, consented_at, backfill_started_at)
      values (1, 'strava', 'ada', 'ada', '2026-01-01', '2026-01-01', null),
             -- The consent of another account counted as a new one, after the backfill of the first.
             (2, 'strava', 'ben', 'ben', '2026-01-01', '2026-03-01', '2026-01-02'),
             -- An uploaded file made the connection before the first consent.
             (3, 'polar', 'cleo', 'cleo', '2026-01-01', '2026-02-01', '2026-02-01'),
             (4, 'garmin', 'dan', 'dan', '2026-01-01', '2026-02-01', '2026-02-02'),
             (5, 'google', null, null, '2026-01-01', '2026-01-01', null),
             (6, 'google', null, 'eve', '2026-01-01', '2026-01-01', null),
             -- A developer requested the past of the second account.
             (7, 'strava', 'fay', 'fay', '2026-01-01', '2026-03-01', '2026-03-02'),
             -- A phone made the connection before the first consent, which requested no past.
             (8, 'google', 'gus', 'gus', '2026-01-01', '2026-02-01', null);
      insert into data_source (user_key, provider, writer, device_model, created_at)
      values (1, 'strava', 'strava_api', 'Edge 540', '2026-01-01'), (2, 'strava', 'strava_api', null, '2026-01-01'),
             (3, 'polar', 'polar_api/profile', null, '2026-02-01'), (4, 'garmin', 'garmin_api', null, '2026-01-01'),
             (5, 'google', 'google_health_api', null, '2026-01-01'), (5, 'google', 'com.example.run', null, '2026-01-01'),
             (6, 'google', 'google_health_api/com.example', null, '2026-01-01'),
             (7, 'strava', 'strava_api', 'Edge 540', '2026-01-01'), (8, 'google', 'google_health_api', null, '2026-02-01');
      insert into session_tombstone (user_key, id, kind, provider, device_model, writer, start_at, end_at)
      values (1, gen_random_uuid(), 'workout', 'strava', 'Edge 540', 'strava_api', now(), now()),
             (7, gen_random_uuid(), 'workout', 'strava', 'Edge 540', 'strava_api', now(), now())`);
    const idsOf = async () => (await pool.query('select id, source_id from data_source order by source_id')).rows;
    const before = await idsOf();

    await migrate(database.url);
    expect(await idsOf()).toEqual(before);
    const { rows } = await pool.query(
      'select user_key, writer, from_cloud, account from data_source order by source_id',
    );
    const mark = expect.stringMatching(/^consent:/);
    expect(rows.map((row) => [row.user_key, row.from_cloud, row.account])).toEqual([
      [1, true, 'ada'],
      [2, true, null],
      [3, true, 'cleo'],
      [4, true, null],
      [5, true, mark],
      [5, false, null],
      [6, true, null],
      [7, true, null],
      [8, true, 'gus'],
    ]);
    const tombstones = await pool.query('select account from session_tombstone order by user_key');
    expect(tombstones.rows).toEqual([{ account: 'ada' }, { account: null }]);
    const accounts = (await pool.query('select source_account from connection order by user_key')).rows;
    expect(accounts.map((row) => row.source_account)).toEqual(['ada', 'ben', 'cleo', 'dan', mark, mark, 'fay', 'gus']);
  } finally {
    await database.drop();
  }
});
