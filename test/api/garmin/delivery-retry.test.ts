import { afterEach, beforeEach, expect, it } from 'vitest';
import { type DeliveryFixture, dailyOf, type GarminUser, openDeliveryFixture } from './delivery-fixture.js';
import { acceptSamples, letWeekPass, rejectSamples } from './rejected-samples.js';

let fixture: DeliveryFixture;
let ada: GarminUser;
let ben: GarminUser;
beforeEach(async () => {
  fixture = await openDeliveryFixture();
  ({ ada } = fixture);
  ben = await fixture.addUser('ben');
});
afterEach(() => fixture.close());

const send = async (body: object) => expect(await fixture.send(body)).toBe(200);
const retry = ({ run_id: id }: { run_id: string }) => fixture.call('POST', `/api/v1/sync/runs/${id}/retry`);
const files = async () => {
  const { rows } = await fixture.pool.query(
    'select state, problem, file_deleted_at is null as kept from webhook_delivery order by seq',
  );
  return rows;
};

it('retries an abandoned delivery from its stored body', async () => {
  await rejectSamples(fixture.pool, '40P01', { userKey: ada.userKey });
  await send({ dailies: [dailyOf(ada, 2, 1), dailyOf(ben, 1, 10), dailyOf(ada, 1, 2)] });
  await fixture.settle();
  await letWeekPass(fixture.pool);
  await fixture.settle();
  const failed = await fixture.lastRun(ada);
  expect(failed).toMatchObject({ status: 'failed' });
  await acceptSamples(fixture.pool);
  const response = await retry(failed);
  expect(response).toMatchObject({ status: 202, body: { retry_of: failed.run_id } });
  expect((await retry(failed)).body.run_id).toBe(response.body.run_id);
  await fixture.settle();
  expect(await fixture.steps(ada)).toEqual([1, 2]);
  expect(await fixture.lastRun(ada)).toMatchObject({
    run_id: response.body.run_id,
    status: 'success',
    metadata: { retry_of: failed.run_id, data_types: { dailies: { received: 2 } } },
  });
  // The service does not read the other user's data again.
  const others = (await fixture.reading.runsOf(ben.userKey)).filter(({ source }) => source === 'webhook');
  expect(others.map(({ status }) => status)).toEqual(['success']);
  expect(await files()).toEqual([{ state: 'done', problem: null, kept: false }]);
});

it('retries only unstored items', async () => {
  await rejectSamples(fixture.pool, '22003', { value: 666 });
  await send({ dailies: [dailyOf(ada, 3, 1), dailyOf(ada, 2, 666), dailyOf(ada, 1, 3), dailyOf(ben, 1, 666)] });
  await fixture.settle();
  await send({ dailies: [dailyOf(ada, 3, 100), dailyOf(ada, 1, 300)] });
  await fixture.settle();
  expect(await fixture.steps(ada)).toEqual([100, 300]);
  await acceptSamples(fixture.pool);
  const partial = (await fixture.reading.runsOf(ada.userKey)).find(({ status }) => status === 'partial')!;
  expect((await retry(partial)).status).toBe(202);
  await fixture.settle();
  expect(await fixture.steps(ada)).toEqual([100, 666, 300]);
  expect(await fixture.lastRun(ada)).toMatchObject({
    status: 'success',
    metadata: { data_types: { dailies: { received: 1, inserted: 1 } } },
  });
  // The file remains, because the other user's data is not stored yet.
  expect((await files())[0]).toEqual({ state: 'failed', problem: 'items_not_stored', kept: true });
  expect((await retry(await fixture.lastRun(ben))).status).toBe(202);
  await fixture.settle();
  expect(await fixture.steps(ben)).toEqual([666]);
  expect((await files())[0]).toEqual({ state: 'done', problem: null, kept: false });
});

it('allows a retry of a partial retry, not of the original run', async () => {
  await rejectSamples(fixture.pool, '22003', { value: 666 });
  await send({ dailies: [dailyOf(ada, 3, 666), dailyOf(ada, 2, 2)] });
  await fixture.settle();
  const first = await fixture.lastRun(ada);
  await retry(first);
  await fixture.settle();
  const second = await fixture.lastRun(ada);
  expect(second).toMatchObject({
    status: 'partial',
    metadata: { retry_of: first.run_id, data_types: { dailies: { received: 1, rejected: 1 } } },
  });
  expect((await retry(first)).status).toBe(409);
  await acceptSamples(fixture.pool);
  expect((await retry(second)).status).toBe(202);
  await fixture.settle();
  expect(await fixture.steps(ada)).toEqual([666, 2]);
});

it('rejects a retry during a read, without the file or when disconnected', async () => {
  await rejectSamples(fixture.pool, '22003', { value: 666 });
  await send({ dailies: [dailyOf(ada, 3, 666), dailyOf(ben, 2, 2)] });
  await fixture.settle();
  const run = await fixture.lastRun(ada);
  await fixture.pool.query(`update webhook_delivery set state = 'received'`);
  expect(await retry(run)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('still being read') },
  });
  await fixture.pool.query(`update webhook_delivery set state = 'failed', file_deleted_at = now()`);
  expect((await retry(run)).status).toBe(410);
  await fixture.pool.query('update webhook_delivery set file_deleted_at = null');
  await fixture.call('DELETE', `/api/v1/users/${ada.userId}/connections/garmin`);
  expect(await retry(run)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('has ended') } });
  expect(await fixture.steps(ada)).toEqual([]);
});

it('retries without affecting later connections or newer values', async () => {
  await rejectSamples(fixture.pool, '22003', { value: 666 });
  await send({ dailies: [dailyOf(ada, 3, 111), dailyOf(ben, 1, 666)] });
  await fixture.settle();
  await fixture.call('DELETE', `/api/v1/users/${ada.userId}`);
  const successor = await fixture.connect('ada');
  await fixture.reading.settle();
  await send({ dailies: [dailyOf(ada, 3, 999)] });
  await fixture.settle();
  expect(await fixture.steps(successor)).toEqual([999]);
  await acceptSamples(fixture.pool);
  expect((await retry(await fixture.lastRun(ben))).status).toBe(202);
  await fixture.settle();
  expect(await fixture.steps(ben)).toEqual([666]);
  expect(await fixture.steps(successor)).toEqual([999]);
});

it('fails a retry while the connection has another account', async () => {
  await rejectSamples(fixture.pool, '22003', { value: 666 });
  await send({ dailies: [dailyOf(ada, 3, 666)] });
  await fixture.settle();
  const first = await fixture.lastRun(ada);
  await acceptSamples(fixture.pool);
  expect((await retry(first)).status).toBe(202);
  const other = await fixture.control.addAccount({ id: 'eve' });
  await fixture.connect('eve', ada.userId);
  await fixture.settle();
  const second = (await fixture.reading.runsOf(ada.userKey)).find((run) => run.metadata?.retry_of === first.run_id)!;
  expect(second).toMatchObject({ status: 'failed', error: expect.stringContaining('changed its vendor account') });
  expect(await retry(second)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('different vendor account') },
  });
  expect(await fixture.steps(ada)).toEqual([]);
  expect(other.userId).not.toBe(ada.account);
  await fixture.connect('ada', ada.userId);
  await fixture.settle();
  expect((await retry(second)).status).toBe(202);
  await fixture.settle();
  expect(await fixture.steps(ada)).toEqual([666]);
});
