import { createHmac } from 'node:crypto';
import { MS_PER_DAY } from '@healthd/model';
import { expect, it } from 'vitest';
import { POLAR_WEBHOOK, readDelivery } from './webhook.js';

const NOW_MS = Date.parse('2026-05-10T20:00:00Z');
// The vendor's format. Serializing the JSON again would lose its blanks. The signature was computed independently.
const BODY = '{"event": "SLEEP", "user_id": 60417735, "date": "2025-05-04", "timestamp": "2025-05-04T04:12:30Z"}';
const SECRET = '0f0e7a34-7e55-4f38-93b3-5d1a2cc0ffee';
const SIGNATURE = '619c74167203daefdfc7ed0a83660c990cb9c944beea037a4bc35e1fa1a23a03';

const authentic = (signature: string | undefined, body = BODY, ...secrets: string[]) =>
  POLAR_WEBHOOK.authenticate(
    { headers: signature === undefined ? {} : { 'polar-webhook-signature': signature }, query: new URLSearchParams() },
    Buffer.from(body),
    secrets,
  );
const read = (change: object) =>
  readDelivery({ user_id: 60_417_735, timestamp: '2025-05-04T04:12:30Z', ...change }, NOW_MS);
function notificationsOf(change: object) {
  const delivery = read(change);
  return delivery.kind === 'notifications' ? delivery.notifications : [];
}
const day = (date: string) => Date.parse(`${date}T00:00:00Z`);

it('accepts only raw bodies signed with a configured secret', () => {
  expect(authentic(SIGNATURE, BODY, SECRET)).toBe(true);
  expect(authentic(SIGNATURE.toUpperCase(), BODY, 'another', SECRET)).toBe(true);
  expect(authentic(SIGNATURE, BODY.replace('05-04', '05-05'), SECRET)).toBe(false);
  expect(authentic(SIGNATURE, JSON.stringify(JSON.parse(BODY)), SECRET)).toBe(false);
  expect(authentic(SIGNATURE, BODY, 'another')).toBe(false);
  expect(authentic(SIGNATURE, BODY)).toBe(false);
  expect(authentic(undefined, BODY, SECRET)).toBe(false);
  expect(authentic('', BODY, SECRET)).toBe(false);
  const withoutSecret = createHmac('sha256', '').update(BODY).digest('hex');
  expect(authentic(withoutSecret, BODY, '')).toBe(false);
});

it('recognizes a ping as a handshake', () => {
  expect(readDelivery({ event: 'PING' }, NOW_MS)).toEqual({ kind: 'handshake', status: 200, body: { status: 'ok' } });
  for (const body of [[], null, { event: ['PING'] }, { event: 'SLEEP', x: 'PING' }]) {
    expect(readDelivery(body, NOW_MS).kind).not.toBe('handshake');
  }
});

it('rereads loads of the last 30 days after an exercise event', () => {
  const notifications = notificationsOf({ event: 'EXERCISE', entity_id: 'q7RtYw' });
  expect(notifications).toMatchObject([
    { providerUserId: '60417735', dataType: 'exercises', itemId: 'q7RtYw', operation: 'upsert' },
    { dataType: 'cardio-load', ranges: [{ startMs: NOW_MS - 30 * MS_PER_DAY, endMs: NOW_MS }] },
  ]);
});

it.each(['../users/1', 'a b', '', 42, null])('rereads 30 days for an exercise event with the invalid id %j', (id) => {
  const notifications = notificationsOf({ event: 'EXERCISE', entity_id: id });
  expect(notifications[0]).toEqual({
    providerUserId: '60417735',
    dataType: 'exercises',
    operation: 'upsert',
    ranges: [{ startMs: NOW_MS - 30 * MS_PER_DAY, endMs: NOW_MS }],
  });
});

it('rereads recharge and load after a sleep event', () => {
  const notifications = notificationsOf({ event: 'SLEEP', date: '2025-05-04' });
  const ranges = [{ startMs: day('2025-05-03'), endMs: day('2025-05-06') }];
  expect(notifications).toMatchObject([
    { dataType: 'sleep', ranges },
    { dataType: 'nightly-recharge', ranges },
    { dataType: 'cardio-load', ranges },
  ]);
});

it.each([
  ['CONTINUOUS_HEART_RATE', { date: '2025-05-04' }, 'continuous-heart-rate'],
  ['ACTIVITY_SUMMARY', { date: '2025-05-04' }, 'activities'],
  ['SLEEP_WISE_ALERTNESS', { from: '2025-05-04', to: '2025-05-04' }, 'alertness'],
  ['SLEEP_WISE_CIRCADIAN_BEDTIME', { from: '2025-05-04', to: '2025-05-04' }, 'circadian-bedtime'],
])('the event %s covers its dates in every time zone', (event, dates, dataType) => {
  expect(read({ event, ...dates })).toMatchObject({
    notifications: [{ dataType, ranges: [{ startMs: day('2025-05-03'), endMs: day('2025-05-06') }] }],
  });
});

it.each([
  ['no dates', {}],
  ['an invalid date', { date: '2025-02-30' }],
  ['dates in the wrong order', { from: '2025-05-04', to: '2025-05-01' }],
])('an event with %s covers the last seven days', (_, dates) => {
  expect(read({ event: 'CONTINUOUS_HEART_RATE', ...dates })).toMatchObject({
    notifications: [{ ranges: [{ startMs: NOW_MS - 7 * MS_PER_DAY, endMs: NOW_MS }] }],
  });
});

it('skips unknown events and users', () => {
  expect(read({ event: 'MOON_PHASE' })).toMatchObject({ notifications: [] });
  expect(read({ event: 'toString' })).toMatchObject({ notifications: [] });
  expect(read({ event: 'SLEEP', user_id: 'x' })).toMatchObject({ notifications: [] });
  expect(readDelivery([1], NOW_MS)).toEqual({ kind: 'unreadable' });
});
