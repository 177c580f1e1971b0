import { isMainThread } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { newestDay, optionalBounds, parseBounds, rangeText, sinceSeconds } from './dates.js';

const TODAY = '2026-11-21';
const ONE_ZONE = 'a thread, as under `npm run mutants`, has one time zone for ever';

function inZone(zone: string | undefined, check: () => void): void {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    check();
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
}

test('includes both days of a range', () => {
  expect(parseBounds('2026-01-01', '2026-01-31', TODAY)).toEqual({
    start: '2026-01-01T00:00:00Z',
    end: '2026-02-01T00:00:00Z',
  });
});

test('formats a range by days or by instants', () => {
  expect(rangeText(parseBounds('yesterday', undefined, TODAY))).toBe('from 2026-11-20 to 2026-11-21');
  expect(rangeText(parseBounds('2026-11-20', '2026-11-20', TODAY))).toBe('from 2026-11-20 to 2026-11-20');
  expect(rangeText(parseBounds('2026-11-20T08:00', '2026-11-20', TODAY))).toBe(
    'from 2026-11-20T08:00Z to 2026-11-21T00:00:00Z',
  );
});

test('reads 14d as fourteen days that end today or at --to', () => {
  expect(parseBounds('14d', undefined, TODAY)).toEqual({ start: '2026-11-08T00:00:00Z', end: '2026-11-22T00:00:00Z' });
  expect(parseBounds('2w', '2026-03-14', TODAY)).toEqual({
    start: '2026-03-01T00:00:00Z',
    end: '2026-03-15T00:00:00Z',
  });
});

test('reads yesterday as one day', () => {
  expect(parseBounds('yesterday', 'yesterday', TODAY)).toEqual({
    start: '2026-11-20T00:00:00Z',
    end: '2026-11-21T00:00:00Z',
  });
});

test('reads instants without an offset as UTC', () => {
  expect(parseBounds('2026-01-01T08:00:00+02:00', '2026-01-01 12:00', TODAY)).toEqual({
    start: '2026-01-01T08:00:00+02:00',
    end: '2026-01-01T12:00Z',
  });
});

test('reads --since as an instant or a day in UTC', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const read = (since: string) => new Date(sinceSeconds(since, now) * 1000).toISOString();
  expect(read('2026-11-01T08:00')).toBe('2026-11-01T08:00:00.000Z');
  expect(read('2026-11-01T08:00:00+02:00')).toBe('2026-11-01T06:00:00.000Z');
  expect(read('2026-11-01')).toBe('2026-11-01T00:00:00.000Z');
  expect(read('14d')).toBe('2026-11-07T00:00:00.000Z');
  expect(() => sinceSeconds('soon', now)).toThrow(expect.objectContaining({ code: 'bad_date', exitCode: 2 }));
});

test('rejects invalid dates and reversed ranges', () => {
  for (const bad of ['2026-02-30', 'soon', '', '14', '2026-13-01']) {
    expect(() => parseBounds(bad, undefined, TODAY)).toThrow(
      expect.objectContaining({ code: 'bad_date', exitCode: 2 }),
    );
  }
  expect(() => parseBounds('2026-02-02', '2026-02-01', TODAY)).toThrow(expect.objectContaining({ code: 'bad_range' }));
});

test("counts days and weeks back from an instant's day", () => {
  expect(parseBounds('2d', '2026-03-29T23:30:00Z', TODAY)).toEqual({
    start: '2026-03-28T00:00:00Z',
    end: '2026-03-29T23:30:00Z',
  });
  const weeks = sinceSeconds('2w', new Date('2026-11-21T12:00:00Z'));
  expect(new Date(weeks * 1000).toISOString()).toBe('2026-11-07T00:00:00.000Z');
});

test('names the invalid date or range in the message', () => {
  expect(() => parseBounds('', undefined, TODAY)).toThrow('Empty text');
  expect(() => parseBounds('soon', undefined, TODAY)).toThrow('soon');
  const backwards = expect.objectContaining({
    message: '--from 2026-11-22 is not before the end of --to today.',
    exitCode: 2,
  });
  expect(() => parseBounds('2026-11-22', undefined, TODAY)).toThrow(backwards);
});

test('fills in the missing bound of an activity range', () => {
  const nowMs = Date.parse('2026-03-29T23:30:00Z');
  expect(optionalBounds({}, { utc: true, nowMs })).toEqual({});
  expect(optionalBounds({ to: '2026-03-28' }, { utc: true, nowMs })).toEqual({
    from: '1970-01-01T00:00:00Z',
    to: '2026-03-29T00:00:00Z',
  });
  expect(optionalBounds({ from: '2026-03-28' }, { utc: true, nowMs })).toEqual({
    from: '2026-03-28T00:00:00Z',
    to: '2026-03-30T00:00:00Z',
  });
});

test('reads activity days in local time unless --utc is set', () => {
  const midnight = (day: number) => new Date(2026, 0, day).toISOString().replace('.000Z', 'Z');
  const days = { from: '2026-01-05', to: '2026-01-06' };
  expect(optionalBounds(days)).toEqual({ from: midnight(5), to: midnight(7) });
  const today = { from: 'today' };
  expect(optionalBounds(today, { nowMs: new Date(2026, 0, 5, 23, 59).getTime() })).toEqual({
    from: midnight(5),
    to: midnight(6),
  });
});

test('uses the later of the local and the UTC day', () => {
  const now = new Date('2026-01-05T12:00:00Z');
  const local = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'));
  expect(newestDay(now)).toBe(['2026-01-05', local.join('-')].toSorted()[1]);
});

test.for([
  ['Pacific/Kiritimati', '2026-11-21T11:00:00Z', '2026-11-22'],
  ['Pacific/Kiritimati', '2026-11-21T09:00:00Z', '2026-11-21'],
  ['America/Los_Angeles', '2026-11-21T01:00:00Z', '2026-11-21'],
  ['America/Los_Angeles', '2026-11-21T23:00:00Z', '2026-11-21'],
  ['America/Los_Angeles', '2027-01-01T01:00:00Z', '2027-01-01'],
])('returns the later of local and UTC day in %s at %s: %s', ([zone, now = '', day], { skip }) => {
  if (!isMainThread) skip(ONE_ZONE);
  inZone(zone, () => expect(newestDay(new Date(now))).toBe(day));
});

test('starts activity days at local midnight across clock changes', ({ skip }) => {
  if (!isMainThread) skip(ONE_ZONE);
  const nowMs = Date.parse('2026-03-29T23:30:00Z');
  const today = { from: 'today' };
  expect(optionalBounds(today, { utc: true, nowMs })).toEqual({
    from: '2026-03-29T00:00:00Z',
    to: '2026-03-30T00:00:00Z',
  });
  inZone('Europe/Berlin', () => {
    expect(optionalBounds(today, { nowMs })).toEqual({ from: '2026-03-29T22:00:00Z', to: '2026-03-30T22:00:00Z' });
    const days = { from: '2026-03-28', to: '2026-03-29' };
    expect(optionalBounds(days, { nowMs })).toEqual({ from: '2026-03-27T23:00:00Z', to: '2026-03-29T22:00:00Z' });
    const before = { from: '2d', to: '2026-03-29T23:30:00Z' };
    expect(optionalBounds(before, { nowMs })).toEqual({ from: '2026-03-28T23:00:00Z', to: before.to });
  });
  inZone('America/Los_Angeles', () => {
    expect(optionalBounds(today, { nowMs })).toEqual({ from: '2026-03-29T07:00:00Z', to: '2026-03-30T07:00:00Z' });
  });
});
