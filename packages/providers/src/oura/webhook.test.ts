import { expect, it } from 'vitest';
import { verificationToken } from '../rest/index.js';
import { OURA_WEBHOOK, readDelivery } from './webhook.js';

// A signature in the vendor's format, computed independently of the adapter.
const BODY =
  '{"event_type":"update","data_type":"sleep","object_id":"o-1","event_time":"2025-05-10T05:01:12+00:00","user_id":"user-inv-77"}';
const SIGNATURE = '23BF129D2A0005B2600A56152D888C8C60F1E89956068C0FA7018B7B6005FA97';
const SIGNED = { 'x-oura-signature': SIGNATURE, 'x-oura-timestamp': '1746860000' };
const NOW_MS = Date.parse('2026-05-10T12:00:00Z');
const CONFIGURATION = {
  clientId: 'client',
  clientSecret: 'inv-secret',
  scope: '',
  addresses: { api: '', authorize: '', token: '' },
  values: {},
};

const authentic = (headers: Record<string, string>, body = BODY, secret = 'inv-secret') =>
  OURA_WEBHOOK.authenticate({ headers, query: new URLSearchParams() }, Buffer.from(body), [secret]);

it('accepts only a delivery signed with the client secret', () => {
  expect(authentic(SIGNED)).toBe(true);
  expect(authentic({ ...SIGNED, 'x-oura-signature': SIGNATURE.toLowerCase() })).toBe(true);
  expect(authentic(SIGNED, BODY.replace(/,/g, ', '))).toBe(true);
  expect(authentic(SIGNED, BODY.replace('o-1', 'o-2'))).toBe(false);
  expect(authentic(SIGNED, BODY, 'another secret')).toBe(false);
  expect(authentic({ ...SIGNED, 'x-oura-timestamp': '1746860001' })).toBe(false);
  expect(authentic({ ...SIGNED, 'x-oura-signature': 'short' })).toBe(false);
  expect(authentic(SIGNED, '{"event_type"')).toBe(false);
  expect(authentic({ 'x-oura-signature': SIGNATURE })).toBe(false);
  expect(authentic({})).toBe(false);
  expect(authentic(SIGNED, BODY, '')).toBe(false);
});

it.each([
  ['accept', 'new', 0],
  ['accept', 'four minutes old', -240],
  ['refuse', 'six minutes old', -360],
  ['refuse', 'six minutes ahead', 360],
  ['refuse', 'undated', Number.NaN],
])('returns "%s" for a delivery that is %s', async (verdict, _, seconds) => {
  const headers = { 'x-oura-timestamp': String(Math.floor(Date.now() / 1000) + seconds) };
  expect(await OURA_WEBHOOK.checkSignature?.(headers, Buffer.alloc(0), CONFIGURATION)).toMatchObject({ verdict });
});

it.each([
  ['sleep', 'create', ['sleep upsert doc']],
  ['sleep', 'delete', ['sleep delete doc']],
  ['workout', 'update', ['workout upsert doc']],
  ['daily_readiness', 'update', ['daily_readiness upsert undefined']],
  ['daily_readiness', 'delete', ['daily_readiness upsert undefined']],
  ['sleep', 'exploded', []],
])('maps an event about %s (%s) to %j', (data_type, event_type, concerned) => {
  const delivery = readDelivery({ user_id: 'u', object_id: 'doc', data_type, event_type }, NOW_MS);
  const notifications = delivery.kind === 'notifications' ? delivery.notifications : [];
  expect(notifications.map(({ dataType, operation, itemId }) => `${dataType} ${operation} ${itemId}`)).toEqual(
    concerned,
  );
});

it.each([
  ['no user', { object_id: 'doc', data_type: 'sleep', event_type: 'update' }],
  ['a number as user', { user_id: 7, object_id: 'doc', data_type: 'sleep', event_type: 'update' }],
  ['no document', { user_id: 'u', data_type: 'sleep', event_type: 'update' }],
  ['no data type', { user_id: 'u', object_id: 'doc', event_type: 'update' }],
])('ignores an event with %s', (_, event) => {
  expect(readDelivery(event, NOW_MS)).toEqual({ kind: 'notifications', status: 200, notifications: [] });
});

it('rejects a body that is not an object', () => {
  expect(readDelivery([1], NOW_MS)).toEqual({ kind: 'unreadable' });
});

it("responds only to a challenge with this client's token", () => {
  const ask = (verification_token: string) =>
    OURA_WEBHOOK.respondToChallenge?.(
      new URLSearchParams({ verification_token, challenge: 'say this' }),
      CONFIGURATION,
    );
  const token = verificationToken(CONFIGURATION) ?? '';
  expect(ask(token)).toEqual({ challenge: 'say this' });
  expect(ask('')).toBeUndefined();
  expect(ask(`${token} `)).toBeUndefined();
  expect(
    OURA_WEBHOOK.respondToChallenge?.(new URLSearchParams({ verification_token: token }), CONFIGURATION),
  ).toBeUndefined();
  const unset = { ...CONFIGURATION, clientSecret: undefined };
  expect(OURA_WEBHOOK.respondToChallenge?.(new URLSearchParams({ challenge: 'x' }), unset)).toBeUndefined();
});
