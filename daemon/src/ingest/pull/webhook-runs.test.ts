import { MS_PER_DAY, MS_PER_HOUR, seriesTypeByCode } from '@healthd/model';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openReadingFixture, type ReadingFixture } from '../../../../test/support/reading-fixture.js';
import { ScriptedVendor } from '../../../../test/support/scripted-vendor.js';
import { receiveDelivery } from '../webhooks/receive-notifications.js';

const STEPS = seriesTypeByCode('steps').id;
const NOW = Date.parse('2026-11-10T12:00:00Z');

let vendor: ScriptedVendor;
let fixture: ReadingFixture;
let user: { id: string; userKey: number };
let connectionId: string;

beforeEach(async () => {
  vendor = new ScriptedVendor();
  fixture = await openReadingFixture({
    provider: vendor.provider(),
    now: () => new Date(NOW),
    historicalSyncOnConnect: false,
  });
  user = await fixture.addUser();
  connectionId = await fixture.consent(user);
  await fixture.pool.query('update connection set consented_at = $1', [new Date(NOW - 3 * MS_PER_DAY)]);
});
afterEach(() => fixture.close());

async function notify(dataType: string, startTime: string, endTime: string) {
  const interval = { physicalTimeInterval: { startTime, endTime } };
  const data = { healthUserId: 'vendor-1', dataType, operation: 'UPSERT', intervals: [interval] };
  return receiveDelivery(fixture.services, 'oura', {
    query: new URLSearchParams(),
    headers: { authorization: 'Bearer a secret of the webhook' },
    rawBody: Buffer.from(JSON.stringify([{ data }])),
  });
}

test("reads notifications for the account's other user while a run is delayed", async () => {
  const other = await fixture.addUser();
  await fixture.consent(other);
  await fixture.pool.query('update connection set consented_at = $1', [new Date(NOW - 3 * MS_PER_DAY)]);
  vendor.fault = () => ({ code: 'rate_limited', status: 429, retryAfterMs: MS_PER_HOUR });
  await notify('steps', '2026-11-10T08:00:00Z', '2026-11-10T09:00:00Z');
  await fixture.settle();
  expect(await fixture.waiting()).toEqual([]);

  await fixture.connections.writer.end(fixture.pool, connectionId, 'user_disconnected');
  vendor.fault = () => undefined;
  vendor.put('steps', '2026-11-10T10:15:00Z', 7);
  await notify('steps', '2026-11-10T10:00:00Z', '2026-11-10T11:00:00Z');
  await fixture.settle();
  expect(await fixture.samplesOf(other.userKey)).toEqual([`2026-11-10 10:15 ${STEPS} 7`]);
  expect(await fixture.samplesOf(user.userKey)).toEqual([]);
});

test("does not notify another vendor's connection with the same account ID", async () => {
  await fixture.consent(await fixture.addUser(), 'vendor-1', undefined, 'whoop');
  const response = await notify('steps', '2026-11-10T08:00:00Z', '2026-11-10T09:00:00Z');
  expect(response).toMatchObject({ kind: 'accepted', connectionIds: [connectionId] });
  const { rows } = await fixture.pool.query('select id from connection where last_notified_at is not null');
  expect(rows).toEqual([{ id: connectionId }]);
});

test('limits open webhook runs when notifications arrive during long runs', async () => {
  let sent = 0;
  let most = 0;
  vendor.meanwhile = async () => {
    const { rows } = await fixture.pool.query<{ open: number }>(
      `select count(*)::int as open from pull_run where kind = 'webhook'`,
    );
    most = Math.max(most, rows[0]?.open ?? 0);
    // Sends the next notification as soon as the previous run has become long.
    if (sent < 7 && vendor.calls.length >= sent * 33) {
      sent++;
      await notify('steps', '2026-10-01T00:00:00Z', '2026-11-08T00:00:00Z');
    }
  };
  await notify('steps', '2026-10-01T00:00:00Z', '2026-11-08T00:00:00Z');
  await fixture.settle();
  expect(sent).toBe(7);
  expect(most).toBe(4);
  const { rows } = await fixture.pool.query('select distinct state from provider_notification');
  expect(rows).toEqual([{ state: 'done' }]);
});
