import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unionOf } from './intervals.js';
import { MinuteBitmap } from './minute-bitmap.js';
import { MINUTES_PER_DAY, MS_PER_MINUTE } from './units.js';

function covering(from: number, before: number): MinuteBitmap {
  const minutes = new MinuteBitmap();
  minutes.add(from, before);
  return minutes;
}

test.each([
  [0, 1440, 1440],
  [0, 0, 0],
  [480, 540, 60],
  [479.5, 540.1, 62],
  [-90, 30, 30],
  [1430, 1500, 10],
])('counts minutes %d to %d (exclusive) as %i minutes of the day', (from, before, count) => {
  expect(covering(from, before).count()).toBe(count);
});

test('maps minute 0 to the highest bit and first character', () => {
  expect(covering(0, 1).bytes[0]).toBe(0x80);
  expect(covering(15, 16).bytes[1]).toBe(0x01);
  expect(covering(0, 1).toText()).toBe('1'.padEnd(1440, '0'));
});

test('covers every minute that an interval or instant touches, within the day', () => {
  const of = (startMs: number, endMs: number) => {
    const minutes = new MinuteBitmap();
    minutes.addInterval(startMs, endMs);
    return minutes.runs();
  };
  expect(of(30_000, 90_000)).toEqual([[0, 2]]);
  expect(of(60_000, 120_000)).toEqual([[1, 2]]);
  expect(of(60_000, 60_000)).toEqual([[1, 2]]);
  expect(of(59_999, 59_999)).toEqual([[0, 1]]);
  expect(of(1439 * MS_PER_MINUTE, 1500 * MS_PER_MINUTE)).toEqual([[1439, 1440]]);
});

test('reads a bitmap after its length prefix without changing the input', () => {
  const sent = new Uint8Array(184);
  sent.set([0, 0, 5, 160, 0x80, 0x01]);
  const minutes = MinuteBitmap.sent(sent);
  expect(minutes.runs()).toEqual([
    [0, 1],
    [15, 16],
  ]);
  minutes.add(0, 1440);
  expect(sent[5]).toBe(0x01);
  expect(MinuteBitmap.sent(null).count()).toBe(0);
});

// Reference model: a set of whole minutes.
const change = fc.record({
  does: fc.constantFrom('add', 'addInterval', 'remove'),
  from: fc.integer({ min: 0, max: 1439 }),
  length: fc.oneof(fc.nat(90), fc.nat(1600)),
});
const changes = fc.array(change, { maxLength: 8 });
type Change = { does: string; from: number; length: number };

function changed(some: readonly Change[]): { minutes: MinuteBitmap; model: Set<number> } {
  const minutes = new MinuteBitmap();
  const model = new Set<number>();
  for (const { does, from, length } of some) {
    if (does === 'addInterval') minutes.addInterval(from * MS_PER_MINUTE, (from + length) * MS_PER_MINUTE);
    else if (does === 'add') minutes.add(from, from + length);
    else minutes.remove(from, from + length);
    const last = does === 'addInterval' ? Math.max(from + 1, from + length) : from + length;
    for (let minute = from; minute < last; minute++) {
      if (does === 'remove') model.delete(minute);
      else if (minute < MINUTES_PER_DAY) model.add(minute);
    }
  }
  return { minutes, model };
}

test('contains the same minutes as a set after equal changes', () => {
  fc.assert(
    fc.property(changes, (some) => {
      const { minutes, model } = changed(some);
      const held = Array.from({ length: MINUTES_PER_DAY }, (_, minute) => minute).filter((minute) =>
        minutes.has(minute),
      );
      expect(new Set(held)).toEqual(model);
      expect(minutes.count()).toBe(model.size);
      expect(minutes.runs()).toEqual(unionOf(Array.from(model, (minute) => [minute, minute + 1] as const)));
    }),
  );
});

test('restores the same bitmap from its text form', () => {
  fc.assert(
    fc.property(changes, changes, (some, before) => {
      const { minutes } = changed(some);
      const again = changed(before).minutes;
      again.setText(minutes.toText());
      expect(again.bytes).toEqual(minutes.bytes);
      again.setText(undefined);
      expect(again.count()).toBe(0);
    }),
  );
});

test('computes the union and the difference of two bitmaps', () => {
  fc.assert(
    fc.property(changes, changes, (some, others) => {
      const [a, b] = [changed(some), changed(others)];
      expect(a.minutes.union(b.minutes).count()).toBe(new Set([...a.model, ...b.model]).size);
      const rest = a.minutes.without(b.minutes);
      const left = [...a.model].filter((minute) => !b.model.has(minute));
      expect(left.every((minute) => rest.has(minute))).toBe(true);
      expect(rest.count()).toBe(left.length);
    }),
  );
});
