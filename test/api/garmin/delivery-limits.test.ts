import { type FileHandle, open } from 'node:fs/promises';
import { request } from 'node:http';
import { deliveryCleaning, deliveryJob } from '@healthd/daemon/ingest/webhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { interruptedAfter } from '../../support/interrupted-signal.js';
import { type DeliveryFixture, daily, dailyOf, type GarminUser, openDeliveryFixture } from './delivery-fixture.js';
import { openGarminFixture } from './garmin-fixture.js';

let fixture: DeliveryFixture;
let ada: GarminUser;
beforeEach(async () => {
  fixture = await openDeliveryFixture();
  ({ ada } = fixture);
});
afterEach(() => fixture.close());

describe('a delivery and its limits', () => {
  it('is stored completely despite partial disk writes', async () => {
    const probe = await open(import.meta.filename);
    const prototype: FileHandle = Object.getPrototypeOf(probe);
    await probe.close();
    const { write } = prototype;
    const takesHalf = vi.spyOn(prototype, 'write').mockImplementation(function (this: FileHandle, ...input: unknown[]) {
      const [piece, at = 0] = input as [Buffer, number?];
      return Reflect.apply(write, this, [piece, at, Math.ceil((piece.length - at) / 2)]);
    } as typeof write);
    try {
      expect(await fixture.send({ dailies: [dailyOf(ada, 1, 8_123)] })).toBe(200);
    } finally {
      takesHalf.mockRestore();
    }
    await fixture.settle();
    expect(await fixture.steps()).toEqual([8_123]);
  });

  it('waits after a job timeout without blocking later deliveries', async () => {
    await fixture.send({ dailies: [dailyOf(ada, 2, 1)] });
    await fixture.send({ dailies: [dailyOf(ada, 1, 2)] });
    const tooLong = Object.assign(new Error('The job exceeded its maximum duration'), { code: 'job_too_long' });
    await expect(fixture.reading.readDeliveries(interruptedAfter(1, tooLong))).rejects.toThrow();
    await fixture.settle();
    expect(await fixture.steps()).toEqual([2]);
    await fixture.reading.pool.query('update webhook_delivery set next_try_at = now() - make_interval(secs => 1)');
    await fixture.settle();
    expect(await fixture.steps()).toEqual([1, 2]);
  });

  it('does not block later deliveries after ten crashes', async () => {
    await fixture.send({ dailies: [dailyOf(ada, 2, 1)] });
    await fixture.reading.pool.query('update webhook_delivery set attempts = 10');
    await fixture.send({ dailies: [dailyOf(ada, 1, 2)] });
    await fixture.settle();
    expect(await fixture.steps()).toEqual([2]);
    expect(await fixture.deliveries()).toEqual({ failed: 1, done: 1 });
  });

  it('gets 503 while too many bytes wait', async () => {
    const body = { dailies: [dailyOf(ada, 1, 2)] };
    expect(await fixture.send(body)).toBe(200);
    await fixture.reading.pool.query('update webhook_delivery set byte_size = 9e9');
    expect(await fixture.send(body)).toBe(503);
    await fixture.settle();
    expect(await fixture.send(body)).toBe(200);
  });

  it('gets 503 if its sender fills half of the inbox', async () => {
    const body = { dailies: [dailyOf(ada, 1, 2)] };
    const { maxWaitingBytes } = fixture.service.parts.deliveries;
    expect(await fixture.send(body)).toBe(200);
    await fixture.pool.query('update webhook_delivery set byte_size = $1', [Math.ceil(maxWaitingBytes * 0.6)]);
    expect(await fixture.send(body)).toBe(503);
    await fixture.pool.query(`update webhook_delivery set sender = '192.0.2.7'`);
    expect(await fixture.send(body)).toBe(200);
  });

  it('has a configurable limit of waiting bytes', async () => {
    const small = await openGarminFixture({ settings: { deliverySpoolMaxBytes: 10 } });
    try {
      await small.control.setPushTarget({ url: small.address });
      const body = JSON.stringify({ dailies: [{ userId: 'a stranger', ...daily(1, 2) }] });
      expect(await small.control.sendBody(body)).toBe(200);
      expect(await small.control.sendBody(body)).toBe(503);
    } finally {
      await small.close();
    }
  });

  it('has a smaller, separate limit for unknown accounts', async () => {
    const body = (name: string) => JSON.stringify({ dailies: [{ userId: `stranger ${name}`, ...daily(1, 2) }] });
    const bytes = body('1').length;
    // Unknown accounts get an eighth of the limit, so two of their deliveries fit.
    const small = await openGarminFixture({ settings: { deliverySpoolMaxBytes: 8 * 2 * bytes } });
    try {
      await small.control.setPushTarget({ url: small.address, deliveries: 'held' });
      for (const name of ['1', '2', '3']) {
        expect(await small.control.sendBody(body(name))).toBe(200);
        await small.reading.settle();
      }
      const { rows } = await small.pool.query(
        'select file_deleted_at is null as kept, unmatched from webhook_delivery order by seq',
      );
      expect(rows).toEqual([
        { kept: false, unmatched: [] },
        { kept: true, unmatched: ['stranger 2'] },
        { kept: true, unmatched: ['stranger 3'] },
      ]);
      expect((await small.service.parts.deliveries.spool.list()).length).toBe(2);
      await small.pool.query('update webhook_delivery set byte_size = 9e9');
      expect(await small.control.sendBody(body('4'))).toBe(200);
    } finally {
      await small.close();
    }
  });

  it('fails only items that are nested too deep', async () => {
    const deep = `{"userId":"${ada.account}","note":${'['.repeat(40)}${']'.repeat(40)}}`;
    const good = JSON.stringify(dailyOf(ada, 1, 5));
    expect(await fixture.control.sendBody(`{"dailies":[${deep},${good},${deep}]}`)).toBe(200);
    const warnings: unknown[] = [];
    const log = { debug: () => {}, info: () => {}, warn: (line: unknown) => void warnings.push(line), error: () => {} };
    const { signal } = new AbortController();
    const context = { signal, attempt: 1, log, touch: async () => {}, again: async () => true };
    await deliveryJob(fixture.service.parts.deliveries).run({ provider: 'garmin' }, context);
    expect(await fixture.steps()).toEqual([5]);
    expect(await fixture.deliveries()).toEqual({ done: 1 });
    expect(warnings).toMatchObject([{ event: 'delivery_items_skipped', item: 1, code: 'too_deep', items: 2 }]);
  });

  it('stays stored while cleaning deletes old deliveries through an index', async () => {
    await fixture.pool.query(
      `insert into webhook_delivery (id, provider, spool_name, byte_size, sha256, state, received_at, file_deleted_at)
       select gen_random_uuid(), 'garmin', 'old ' || n, 1, '', 'done', now() - interval '31 days', now()
         from generate_series(1, 12000) n`,
    );
    await fixture.send({ dailies: [dailyOf(ada, 1, 5)] });
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const { signal } = new AbortController();
    await deliveryCleaning(fixture.service.parts.deliveries).clean({ signal, log });
    expect(await fixture.deliveries()).toEqual({ received: 1 });
    const { rows } = await fixture.pool.query(
      `select a.attname as leading from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indrelid = 'webhook_delivery'::regclass`,
    );
    expect(rows).toContainEqual({ leading: 'received_at' });
  });

  it('gets 503 with a retry time while too many deliveries arrive', async () => {
    const headers = { 'garmin-client-id': fixture.simulator.client.id };
    const onResponse = vi.fn();
    const slowRequests = Array.from({ length: 40 }, () => {
      const sent = request(fixture.address, { method: 'POST', headers });
      const answer = new Promise<number | undefined>((resolve, reject) => {
        sent.once('response', (response) => resolve(response.resume().statusCode));
        sent.once('error', reject);
      });
      sent.write('{"dailies":[');
      answer.then(onResponse);
      return { sent, answer };
    });
    // The service rejects the deliveries above its limit while the other deliveries continue.
    await expect.poll(() => onResponse.mock.calls).toEqual(Array.from({ length: 8 }, () => [503]));
    const another = () => fetch(fixture.address, { method: 'POST', headers, body: '{}' });
    const rejected = await another();
    expect(rejected.status).toBe(503);
    expect(rejected.headers.get('retry-after')).toMatch(/^\d+$/);
    for (const { sent } of slowRequests) sent.end(']}');
    const statuses = await Promise.all(slowRequests.map((one) => one.answer));
    expect(statuses.filter((status) => status === 200)).toHaveLength(32);
    expect((await another()).status).toBe(200);
  });

  it('is found by run or connection through an index', async () => {
    const { rows } = await fixture.reading.pool.query<{ leading: string }>(
      `select a.attname as leading from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indrelid = 'webhook_delivery_share'::regclass`,
    );
    expect([...new Set(rows.map(({ leading }) => leading))].sort()).toEqual(['connection_id', 'delivery_id', 'run_id']);
  });
});
