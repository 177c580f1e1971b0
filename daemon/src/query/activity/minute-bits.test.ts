import { expect, it } from 'vitest';
import { countMinutes, minuteBits, noMinutes, setMinutes, union, without } from './minute-bits.js';

function minutes(from: number, before: number) {
  const bits = noMinutes();
  setMinutes(bits, from, before);
  return bits;
}

it.each([
  [0, 1440, 1440],
  [0, 0, 0],
  [480, 540, 60],
  [479.5, 540.1, 62],
  [-90, 30, 30],
  [1430, 1500, 10],
])('the bits from minute %d until before %d are %i minutes of the day', (from, before, count) => {
  expect(countMinutes(minutes(from, before))).toBe(count);
});

it('bitmaps unite and subtract', () => {
  expect(countMinutes(union(minutes(0, 60), minutes(30, 90)))).toBe(90);
  expect(countMinutes(without(minutes(0, 60), minutes(30, 90)))).toBe(30);
});

it('a bitmap has minute 0 in the highest bit of the first byte after the length', () => {
  expect(minuteBits(Uint8Array.of(0, 0, 5, 160, 0x80, 0x01))).toEqual(Uint8Array.of(0x80, 0x01));
  expect(minutes(0, 1)[0]).toBe(0x80);
  expect(minutes(15, 16)[1]).toBe(0x01);
  expect(countMinutes(minuteBits(null))).toBe(0);
});
