import { MS_PER_HOUR } from '@healthd/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { VendorNotification } from '../cloud/index.js';
import { googleWebhook } from './webhook.js';

const WEBHOOK = googleWebhook();
const USER = '4410982267731905512';

/** Encodes a header as Node returns it, with one character per byte. */
function sent(value: string): { authorization: string } {
  return { authorization: Buffer.from(value, 'utf8').toString('latin1') };
}

const NO_QUERY = new URLSearchParams();

function authenticates(header: string, ...secrets: string[]): boolean {
  return WEBHOOK.authenticate({ headers: sent(header), query: NO_QUERY }, Buffer.alloc(0), secrets);
}

function read(body: unknown) {
  return WEBHOOK.read(body);
}

function notifications(body: unknown): readonly VendorNotification[] {
  const delivery = read(body);
  if (delivery.kind !== 'notifications') throw new Error(delivery.kind);
  expect(delivery.status).toBe(204);
  return delivery.notifications;
}

function item(data: Record<string, unknown>) {
  return { data: { version: '1', healthUserId: USER, operation: 'UPSERT', dataType: 'steps', ...data } };
}

function physical(startTime: string, endTime: string) {
  return { physicalTimeInterval: { startTime, endTime } };
}

const CHANGED = physical('2026-04-02T16:40:00Z', '2026-04-02T17:10:00Z');
const STEPS = {
  providerUserId: USER,
  dataType: 'steps',
  operation: 'upsert',
  ranges: [{ startMs: Date.UTC(2026, 3, 2, 16, 40), endMs: Date.UTC(2026, 3, 2, 17, 10) }],
};

it('accepts only the whole secret', () => {
  expect(authenticates('Bearer s3cret', 's3cret')).toBe(true);
  for (const header of ['', 'Bearer ', 'Bearer s3cre', 'Bearer s3cret ', 'Bearer s3cret2', 's3cret', 'Basic s3cret']) {
    expect(authenticates(header, 's3cret'), header).toBe(false);
  }
  expect(WEBHOOK.authenticate({ headers: {}, query: NO_QUERY }, Buffer.alloc(0), ['s3cret'])).toBe(false);
});

it('accepts two secrets during a rotation', () => {
  expect(authenticates('Bearer new', 'old', 'new')).toBe(true);
  expect(authenticates('Bearer old', 'old', 'new')).toBe(true);
  expect(authenticates('Bearer other', 'old', 'new')).toBe(false);
});

it('rejects deliveries without a configured secret', () => {
  expect(authenticates('Bearer ', '')).toBe(false);
  expect(authenticates('Bearer ')).toBe(false);
});

it('compares non-ASCII secrets and headers', () => {
  expect(authenticates('Bearer gehéim🔑', 'gehéim🔑')).toBe(true);
  expect(authenticates('Bearer gehéim', 'geheim')).toBe(false);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ unit: 'binary' }), (secret, header) => {
      expect(authenticates(header, secret)).toBe(header === `Bearer ${secret}`);
    }),
  );
});

it('responds 201 to the handshake', () => {
  expect(read({ type: 'verification' })).toMatchObject({ kind: 'handshake', status: 201 });
});

it('accepts a list or a single object', () => {
  expect(notifications([item({ intervals: [CHANGED] })])).toEqual([STEPS]);
  expect(notifications(item({ intervals: [CHANGED] }))).toEqual([STEPS]);
  expect(notifications(item({ intervals: [CHANGED] }).data)).toEqual([STEPS]);
  expect(notifications([])).toEqual([]);
});

it('treats every operation except DELETE as a change', () => {
  const operations = ['UPSERT', 'DELETE', 'RESTORE', undefined, 7].map((operation, index) =>
    item({ operation, dataType: `type-${index}`, intervals: [CHANGED] }),
  );
  expect(notifications(operations).map(({ operation }) => operation)).toEqual([
    'upsert',
    'delete',
    'upsert',
    'upsert',
    'upsert',
  ]);
});

it('skips invalid items', () => {
  const bad = [
    null,
    7,
    'text',
    [],
    {},
    { data: null },
    { data: [] },
    item({ healthUserId: undefined }),
    item({ healthUserId: '../me' }),
    item({ dataType: 'users/1' }),
    item({ dataType: {} }),
  ];
  const good = item({
    intervals: [null, 3, {}, CHANGED, physical('yesterday', 'today')],
    future: { a: 1 },
    version: 9,
  });
  expect(notifications([...bad, good, ...bad])).toEqual([STEPS]);
});

it('uses the last week for a change without a time', () => {
  const nowMs = Date.now();
  for (const intervals of [undefined, [], [{}], 'always']) {
    const [found, ...others] = notifications(item({ operation: 'DELETE', dataType: 'sleep', intervals }));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ providerUserId: USER, dataType: 'sleep', operation: 'delete' });
    expect(found?.ranges).toHaveLength(1);
    expect(found?.ranges[0]?.startMs).toBeLessThan(nowMs - 6 * 24 * MS_PER_HOUR);
    expect(found?.ranges[0]?.endMs).toBeGreaterThanOrEqual(nowMs);
  }
});

it('prefers the exact interval to an interval widened by local times', () => {
  const date = { year: 2026, month: 4, day: 2 };
  const civilDateTimeInterval = {
    startDateTime: { date, time: { hours: 18, minutes: 40 } },
    endDateTime: { date, time: { hours: 19 } },
  };
  const civilIso8601TimeInterval = { startTime: '2026-04-02T18:40:00', endTime: '2026-04-02T19:00' };
  const wide = [{ startMs: Date.UTC(2026, 3, 2, 4, 40), endMs: Date.UTC(2026, 3, 3, 9) }];
  expect(notifications(item({ intervals: [{ civilDateTimeInterval, ...CHANGED }] }))).toEqual([STEPS]);
  expect(notifications(item({ intervals: [{ civilDateTimeInterval }] }))[0]?.ranges).toEqual(wide);
  expect(notifications(item({ intervals: [{ civilIso8601TimeInterval }] }))[0]?.ranges).toEqual(wide);
  const unreadable = {
    physicalTimeInterval: { startTime: '2026-04-02' },
    civilDateTimeInterval: {},
    civilIso8601TimeInterval,
  };
  expect(notifications(item({ intervals: [unreadable] }))[0]?.ranges).toEqual(wide);
});

it('reads a date without a time as midnight', () => {
  const startDateTime = { date: { year: 2026, month: 3, day: 9 } };
  const endDateTime = { date: { year: 2026, month: 3, day: 10 }, time: {} };
  const [found] = notifications(item({ intervals: [{ civilDateTimeInterval: { startDateTime, endDateTime } }] }));
  expect(found?.ranges).toEqual([{ startMs: Date.UTC(2026, 2, 8, 10), endMs: Date.UTC(2026, 2, 10, 14) }]);
});

it('joins adjacent changes of several items', () => {
  const items = [
    item({ intervals: [physical('2026-04-02T10:00:00Z', '2026-04-02T10:30:00Z')] }),
    item({ intervals: [physical('2026-03-02T10:00:00Z', '2026-03-02T10:00:00Z')] }),
    item({ intervals: [physical('2026-04-02T12:30:00.25+02:00', '2026-04-02T13:00:00+02:00')] }),
  ];
  expect(notifications(items)).toEqual([
    {
      ...STEPS,
      ranges: [
        { startMs: Date.UTC(2026, 2, 2, 10), endMs: Date.UTC(2026, 2, 2, 10) + 1 },
        { startMs: Date.UTC(2026, 3, 2, 10), endMs: Date.UTC(2026, 3, 2, 11) },
      ],
    },
  ]);
});

it('rejects a body that is not a JSON object or list', () => {
  for (const body of ['steps', 7, null, true, undefined]) expect(read(body)).toEqual({ kind: 'unreadable' });
});

it('limits the ranges of a very long interval list', () => {
  const intervals = Array.from({ length: 8_000 }, (_, hour) => {
    const at = new Date(Date.UTC(2024, 0, 1) + hour * 3 * MS_PER_HOUR).toISOString();
    return physical(at, at);
  });
  expect(notifications(item({ intervals }))[0]?.ranges.length).toBeLessThanOrEqual(200);
});

it('returns only valid notifications for arbitrary JSON', () => {
  const interval = fc.record(
    {
      physicalTimeInterval: fc.record({
        startTime: fc.oneof(fc.string(), fc.date().map(String)),
        endTime: fc.string(),
      }),
      civilIso8601TimeInterval: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const data = fc.record(
    {
      healthUserId: fc.oneof(fc.constant(USER), fc.jsonValue()),
      dataType: fc.oneof(fc.constant('steps'), fc.jsonValue()),
      operation: fc.jsonValue(),
      intervals: fc.oneof(fc.array(fc.oneof(interval, fc.jsonValue())), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.array(fc.record({ data }))), (body) => {
      const delivery = read(body);
      if (delivery.kind !== 'notifications') return;
      for (const { providerUserId, ranges } of delivery.notifications) {
        expect(ranges.length).toBeGreaterThan(0);
        expect(providerUserId).toMatch(/^[A-Za-z0-9-]{1,63}$/);
        for (const { startMs, endMs } of ranges) expect(endMs).toBeGreaterThan(startMs);
      }
    }),
  );
});
