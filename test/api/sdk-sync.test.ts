import { gzipSync } from 'node:zlib';
import { noItems } from '@healthd/model';
import type { SyncStatusEvent } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPushFixture, type PushFixture } from './push-fixture.js';
import { heartRates, payload, reading, WATCH } from './push-payloads.js';

let fixture: PushFixture;
beforeAll(async () => {
  fixture = await openPushFixture({ maxBytes: 4 * 2 ** 20 });
});
afterAll(() => fixture.close());

const samples = async (user: string) =>
  fixture.rows<{ code: number; value: number; n: number }>(
    `select type_id as code, value, slot >> 29 as n from sample join health_user using (user_key) where id = $1
      order by type_id, start_at`,
    [user],
  );

describe('device pushes', () => {
  it('report stored items in a trackable run', async () => {
    const user = await fixture.createUser();
    const { status, body } = await fixture.send(user, JSON.stringify(payload('apple', { records: heartRates(3) })));
    expect(status).toBe(202);
    expect(body).toMatchObject({ status_code: 202, user_id: user, dropped_count: 0, records_saved: 0 });
    const run = await fixture.ended(String(body.batch_id));
    expect(run).toMatchObject({ stage: 'completed', status: 'success', source: 'sdk', provider: 'apple' });
    expect(run.metadata).toMatchObject({ batch_id: body.batch_id, records_saved: 3, dropped_count: 0 });
    expect(await samples(user)).toHaveLength(3);
    const [batch] = await fixture.rows<{ state: string; body: null }>(
      'select state, body from device_batch where batch_id = $1',
      [body.batch_id],
    );
    expect(batch).toEqual({ state: 'done', body: null });
  });

  it('emit queued, started and completed events in order', async () => {
    const user = await fixture.createUser();
    const run = await fixture.pushed(user, payload('apple', { records: heartRates(1) }));
    const events = await fixture.read<SyncStatusEvent[]>(`/api/v1/users/${user}/sync/recent`);
    expect(events.map(({ stage, run_id: id }) => `${id === run.run_id} ${stage}`)).toEqual([
      'true completed',
      'true started',
      'true queued',
    ]);
  });

  it('may use gzip without a content type', async () => {
    const user = await fixture.createUser();
    const packed = gzipSync(JSON.stringify(payload('apple', { records: heartRates(2000) })));
    const { status, body } = await fixture.send(user, packed, { 'Content-Encoding': 'gzip' });
    expect(status).toBe(202);
    expect((await fixture.ended(String(body.batch_id))).metadata).toMatchObject({ records_saved: 2000 });
  });

  it('returns the same batch for a repeated Idempotency-Key of a user', async () => {
    const user = await fixture.createUser();
    const body = payload('apple', { records: heartRates(1) });
    const first = await fixture.push(user, body, { 'Idempotency-Key': 'chunk-1' });
    expect(await fixture.push(user, body, { 'Idempotency-Key': 'chunk-1' })).toBe(first);
    expect(await fixture.push(await fixture.createUser(), body, { 'Idempotency-Key': 'chunk-1' })).not.toBe(first);
    await fixture.ended(first);
  });

  it('changes nothing when a batch without a key is repeated', async () => {
    const user = await fixture.createUser();
    const body = payload('apple', { records: heartRates(5) });
    await fixture.pushed(user, body);
    const again = await fixture.pushed(user, body);
    expect(again.metadata).toMatchObject({
      records_saved: 5,
      stored: { samples: { inserted: 0, updated: 0, unchanged: 5 } },
      items: { ...noItems(), read: 5, unchanged: 5 },
    });
  });

  it('immediately rejects batches that a retry cannot fix', async () => {
    const user = await fixture.createUser();
    const big = JSON.stringify(payload('apple', { records: heartRates(1000) }));
    const cases: [body: string | Uint8Array, headers: Record<string, string>, status: number, text: RegExp][] = [
      ['not json', {}, 400, /JSON object/],
      ['[1, 2]', {}, 400, /JSON object/],
      ['', {}, 400, /JSON object/],
      ['{"provider": "apple", "data": nonsense}', {}, 400, /JSON object/],
      [big.slice(0, -10), {}, 400, /JSON object/],
      [gzipSync('{}').subarray(0, 10), { 'Content-Encoding': 'gzip' }, 400, /gzip/],
      ['plain', { 'Content-Encoding': 'gzip' }, 400, /gzip/],
      [big, { 'Content-Encoding': 'br' }, 415, /gzip/],
      [JSON.stringify(payload('garmin', {})), {}, 400, /'garmin'.*apple, samsung, google/],
      ['{}', {}, 400, /Unsupported provider/],
      ['{"provider": null}', {}, 400, /Unsupported provider/],
      [' '.repeat(5 * 2 ** 20), {}, 413, /PUSH_MAX_BYTES/],
      [gzipSync(`{"a":"${' '.repeat(5 * 2 ** 20)}"}`), { 'Content-Encoding': 'gzip' }, 413, /PUSH_MAX_BYTES/],
    ];
    for (const [body, headers, status, text] of cases) {
      const response = await fixture.send(user, body, headers);
      expect({ status: response.status, body: JSON.stringify(response.body) }).toEqual({
        status,
        body: expect.stringMatching(text),
      });
    }
    expect((await fixture.send('not-a-uuid', big)).status).toBe(422);
    expect((await fixture.send('00000000-0000-4000-8000-000000000000', big)).status).toBe(404);
    expect(
      await fixture.rows('select 1 from device_batch join health_user using (user_key) where id = $1', [user]),
    ).toEqual([]);
  });

  it('accepts a provider name in any case and position', async () => {
    const user = await fixture.createUser();
    const { provider: _, ...rest } = payload('', { records: heartRates(2000) });
    const run = await fixture.pushed(user, { ...rest, note: 'a "quoted" {brace', provider: 'APPLE' });
    expect(run).toMatchObject({ provider: 'apple', status: 'success' });
  });

  it('explains only the bad items of a batch', async () => {
    const user = await fixture.createUser();
    const at = '2026-11-19T07:12:00Z';
    const type = 'HKQuantityTypeIdentifierHeartRate';
    const run = await fixture.pushed(
      user,
      payload('apple', {
        records: [
          reading(type, at, 71, 'bpm', { source: WATCH }),
          { ...reading(type, at, 71, 'bpm'), startDate: 'yesterday' },
          reading(type, at, null, 'bpm'),
          { type },
          5,
          null,
          reading(type, at, 71, 'furlong'),
          { ...reading(type, at, 71, 'bpm'), endDate: '2026-11-19T07:00:00Z' },
          reading('HKQuantityTypeIdentifierDietaryIron', at, 4, 'mg'),
        ],
      }),
    );
    expect(run).toMatchObject({ stage: 'completed', status: 'partial' });
    const rejected = run.metadata.rejected as { index: number; field?: string; code: string }[];
    expect(rejected.map(({ index, field, code }) => `${index} ${field ?? ''} ${code}`)).toEqual([
      '1 startDate invalid_date',
      '2 value missing',
      '3 startDate missing',
      '4  not_an_object',
      '5  not_an_object',
      '6 unit unknown_unit',
      '7 endDate end_before_start',
    ]);
    expect(run.metadata).toMatchObject({
      records_saved: 1,
      dropped_count: 7,
      ignored: { HKQuantityTypeIdentifierDietaryIron: 1 },
    });
    expect(JSON.stringify(run.metadata)).not.toContain('yesterday');
  });

  it('retain the body of an invalid batch for a while', async () => {
    const user = await fixture.createUser();
    const { syncTimestamp: _, ...noTime } = payload('apple', {});
    for (const [body, error] of [
      [noTime, /syncTimestamp is missing/],
      [{ ...payload('apple', {}), data: null }, /data must be an object/],
      [payload('apple', { records: {} as never }), /data\.records must be an array/],
      [payload('apple', { records: [5] }), /none of the 1 items/],
    ] as const) {
      const run = await fixture.pushed(user, body);
      expect(run).toMatchObject({ stage: 'failed', status: 'failed', error: expect.stringMatching(error) });
    }
    const storedBodies = await fixture.rows(
      "select 1 from device_batch join health_user using (user_key) where id = $1 and state = 'failed' and body is not null",
      [user],
    );
    expect(storedBodies).toHaveLength(4);
  });

  it('fail if a large body is not JSON', async () => {
    const user = await fixture.createUser();
    const body = `{"provider":"apple","data":${'x'.repeat(100_000)}}`;
    const { status, body: response } = await fixture.send(user, body);
    expect(status).toBe(202);
    expect(await fixture.ended(String(response.batch_id))).toMatchObject({
      error: expect.stringContaining('not valid JSON'),
    });
  });

  it('processes concurrent batches in order of arrival', async () => {
    const user = await fixture.createUser();
    const at = '2026-11-19T07:12:00Z';
    const ids: string[] = [];
    for (let value = 51; value <= 80; value++) {
      const record = reading('HKQuantityTypeIdentifierHeartRate', at, value, 'bpm', { source: WATCH });
      ids.push(await fixture.push(user, payload('apple', { records: [record] })));
    }
    for (const id of ids) expect((await fixture.ended(id)).status).toBe('success');
    expect((await samples(user)).map(({ value }) => value)).toEqual([80]);
  });
});

describe('a batch whose job was lost', () => {
  it('is found by the sweeper', async () => {
    const lonely = await openPushFixture({ tryEnqueue: async () => false });
    const user = await lonely.createUser();
    const run = await lonely.pushed(user, payload('apple', { records: heartRates(1) }));
    expect(run.status).toBe('success');
    await lonely.close();
  });
});

describe('a push to a full inbox or disk', () => {
  it('gets 507 with a retry time if the inbox is full', async () => {
    const full = await openPushFixture({ role: 'api', inboxMaxBytes: 1000 });
    const user = await full.createUser();
    const response = await full.send(user, JSON.stringify(payload('apple', { records: heartRates(10) })));
    expect({ status: response.status, retry: response.retryAfter }).toEqual({ status: 507, retry: '60' });
    await full.close();
  });

  it('gets 507 if the disk of the database is full', async () => {
    const full = await openPushFixture({ role: 'api' });
    await full.pool.query(`create function no_room() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
    await full.pool.query('create trigger no_room before insert on device_batch execute function no_room()');
    const user = await full.createUser();
    expect((await full.send(user, JSON.stringify(payload('apple', {})))).status).toBe(507);
    await full.close();
  });
});
