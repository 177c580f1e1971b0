import { expect, it } from 'vitest';
import { readDelivery, WHOOP_WEBHOOK } from './webhook.js';

const BODY = '{"user_id":778812,"id":"9a1f7f7a-8d70-4c3f-9b0e-0c5a3d9f1e20","type":"sleep.updated","trace_id":"t-1"}';
const SIGNED = {
  'x-whoop-signature': 'LJ7USOVNgckkxdIp8VonC/YiUX2rg2xLw1IOTw3P0t8=',
  'x-whoop-signature-timestamp': '1746860000000',
};
const SLEEP = '9a1f7f7a-8d70-4c3f-9b0e-0c5a3d9f1e20';
const NOW_MS = Date.parse('2026-05-10T12:00:00Z');
const authentic = (headers: Record<string, string>, body = BODY, secret = 'inv-secret') =>
  WHOOP_WEBHOOK.authenticate({ headers, query: new URLSearchParams() }, Buffer.from(body), [secret]);

it('accepts only a delivery signed with the client secret', () => {
  expect(authentic(SIGNED)).toBe(true);
  expect(authentic(SIGNED, `${BODY} `)).toBe(false);
  expect(authentic(SIGNED, BODY, 'another secret')).toBe(false);
  expect(authentic({ ...SIGNED, 'x-whoop-signature-timestamp': '1746860000001' })).toBe(false);
  expect(authentic({ ...SIGNED, 'x-whoop-signature': 'short' })).toBe(false);
  expect(authentic({ 'x-whoop-signature-timestamp': '1746860000000' })).toBe(false);
  expect(authentic({})).toBe(false);
  expect(authentic(SIGNED, BODY, '')).toBe(false);
});

it.each([
  ['accept', 'new', 0],
  ['accept', 'four minutes old', -240],
  ['refuse', 'six minutes old', -360],
  ['refuse', 'six minutes ahead', 360],
])('returns "%s" for a delivery that is %s', async (verdict, _, seconds) => {
  const headers = { 'x-whoop-signature-timestamp': String(Date.now() + seconds * 1_000) };
  const configuration = { scope: '', addresses: { api: '', authorize: '', token: '' }, values: {} };
  const check = WHOOP_WEBHOOK.checkSignature?.(headers, Buffer.alloc(0), configuration);
  expect(await check).toMatchObject({ verdict });
});

it.each([
  ['sleep.updated', ['sleep upsert']],
  ['sleep.deleted', ['sleep delete', 'recovery delete']],
  ['recovery.updated', ['recovery upsert']],
  ['recovery.deleted', ['recovery delete']],
  ['workout.updated', ['workout upsert']],
  ['workout.deleted', ['workout delete']],
  ['session.updated', []],
])('maps the event %s to %j', (type, concerned) => {
  const delivery = readDelivery({ user_id: 778_812, id: SLEEP, type, trace_id: 't' }, NOW_MS);
  const notifications = delivery.kind === 'notifications' ? delivery.notifications : [];
  expect(notifications.map(({ dataType, operation }) => `${dataType} ${operation}`)).toEqual(concerned);
  for (const one of notifications) expect(one).toMatchObject({ providerUserId: '778812', itemId: SLEEP });
});

it.each([
  ['a version 1 number as ID', { user_id: 778_812, id: 10_235, type: 'sleep.updated' }],
  ['no id', { user_id: 778_812, type: 'sleep.updated' }],
  ['no user', { id: SLEEP, type: 'sleep.updated' }],
  ['no type', { user_id: 778_812, id: SLEEP }],
])('ignores an event with %s', (_, event) => {
  expect(readDelivery(event, NOW_MS)).toEqual({ kind: 'notifications', status: 204, notifications: [] });
});

it('rejects a body that is not an object', () => {
  expect(readDelivery([1], NOW_MS)).toEqual({ kind: 'unreadable' });
});
