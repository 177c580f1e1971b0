import { createServer } from 'node:net';
import { openSourceDatabase, parseSourceAddress, requireSourceShape } from '@healthd/daemon/open-wearables';
import { noItems } from '@healthd/model';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyHealthData } from '../../daemon/src/open-wearables/copy-health-data.js';
import { readSeries } from '../../daemon/src/open-wearables/read-samples.js';
import { type OpenWearablesDatabase, openWearablesDatabase } from '../support/open-wearables/database.js';
import { idOf } from '../support/open-wearables/users.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { recordedUser, recordWriter } from '../support/recorded-user.js';

const ADA = idOf('ada');
let there: OpenWearablesDatabase;
let here: TestDatabase;
beforeAll(async () => {
  there = await openWearablesDatabase();
  here = await createTestDatabase();
});
afterAll(async () => {
  await there.drop();
  await here.drop();
});

it("normalizes an Apple source's nights and percentages", async () => {
  const [phone, nights, ring] = [idOf('phone'), idOf('nights'), idOf('ring')];
  await there.add('user', [{ id: ADA }]);
  await there.add('series_type_definition', [
    { id: 20, code: 'oxygen_saturation', unit: 'percent' },
    { id: 21, code: 'body_fat_percentage', unit: 'percent' },
  ]);
  await there.add('data_source', [
    { id: phone, user_id: ADA, provider: 'apple', source: 'Ada’s Watch' },
    { id: nights, user_id: ADA, provider: 'unknown', source: 'Ada’s Watch' },
    { id: ring, user_id: ADA, provider: 'unknown', source: 'A ring' },
  ]);
  const at = { recorded_at: '2026-03-10T02:00:00Z', data_source_id: phone };
  await there.add('data_point_series', [
    { id: idOf('s1'), ...at, series_type_definition_id: 20, value: 0.97 },
    { id: idOf('s2'), ...at, series_type_definition_id: 21, value: 0.215 },
    { id: idOf('s3'), ...at, series_type_definition_id: 21, value: 22, recorded_at: '2026-03-11T02:00:00Z' },
  ]);
  const night = {
    category: 'sleep',
    type: 'sleep_session',
    start_datetime: '2026-03-09T22:00:00Z',
    end_datetime: '2026-03-10T06:00:00Z',
  };
  await there.add('event_record', [
    { id: idOf('night'), data_source_id: nights, source_name: 'Ada’s Watch', ...night },
    { id: idOf('other'), data_source_id: ring, source_name: 'A ring', ...night },
  ]);
  const source = await openSourceDatabase(parseSourceAddress(there.url));
  const { userKey } = await recordedUser(here);
  try {
    const copying = {
      source,
      pool: here.pool,
      writer: recordWriter(here),
      series: await readSeries(source),
      items: noItems(),
      rejected: new Map<string, number>(),
      removed: 0,
      onProgress: () => undefined,
    };
    await copyHealthData(copying, { id: ADA, userKey });
    expect([...copying.rejected]).toEqual([]);
  } finally {
    await source.close();
  }
  const samples = await here.pool.query('select value from sample where user_key = $1 order by value', [userKey]);
  expect(samples.rows.map(({ value }) => value)).toEqual([21.5, 22, 97]);
  const sessions = await here.pool.query(
    'select provider from sleep_session join data_source using (user_key, source_id) where user_key = $1',
    [userKey],
  );
  expect(sessions.rows).toEqual([{ provider: 'apple' }]);
});

it('names a missing permission to read a table', async () => {
  const role = `reader_${Date.now()}`;
  await there.pool.query(`create role ${role} login password 'x'; grant usage on schema public to ${role};
    grant select on all tables in schema public to ${role}; revoke select on health_score from ${role}`);
  const url = new URL(there.url);
  [url.username, url.password] = [role, 'x'];
  const source = await openSourceDatabase(parseSourceAddress(url.href));
  try {
    await expect(requireSourceShape(source)).rejects.toThrow(/may not read health_score\. Grant SELECT/);
  } finally {
    await source.close();
    await there.pool.query(`drop owned by ${role}; drop role ${role}`);
  }
});

it('fails if no Postgres responds at the URL', async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await expect(openSourceDatabase(parseSourceAddress(`postgres://a:b@127.0.0.1:${port}/x`))).rejects.toThrow(
    /no Postgres responded within 10 seconds/,
  );
  server.close();
});

it('explains how to continue after a broken connection', async () => {
  const source = await openSourceDatabase(parseSourceAddress(there.url));
  const [row] = await source.query<{ pid: number }>('select pg_backend_pid() as pid');
  await there.pool.query('select pg_terminate_backend($1)', [row?.pid]);
  await expect(source.query('select 1')).rejects.toThrow(/Start again: nothing is copied twice/);
  await source.close().catch(() => undefined);
});
