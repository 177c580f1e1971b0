import { describe, expect, it } from 'vitest';
import { formatOffset, isOffsetMinutes, parseOffset } from './offset.js';

describe('a UTC offset', () => {
  it.each([
    [0, '+00:00'],
    [-0, '+00:00'],
    [120, '+02:00'],
    [-480, '-08:00'],
    [330, '+05:30'],
    [345, '+05:45'],
    [-210, '-03:30'],
    [-30, '-00:30'],
    [840, '+14:00'],
    [1080, '+18:00'],
    [-1080, '-18:00'],
  ])('converts between %i minutes and %s', (minutes, text) => {
    expect(formatOffset(minutes)).toBe(text);
    expect(parseOffset(text)).toBe(minutes + 0);
  });

  it.each([
    ['Z', 0],
    ['UTC', 0],
    ['-00:00', 0],
    ['-0000', 0],
    ['+0200', 120],
    ['-0330', -210],
  ])('parses %s as %i minutes', (text, minutes) => {
    expect(parseOffset(text)).toBe(minutes);
  });

  it.each(['', 'z', '+2', '+02', '02:00', '+2:00', '+02:60', '+18:01', '-19:00', '+99:99', 'Europe/Warsaw', '+02:00 '])(
    'rejects "%s"',
    (text) => {
      expect(parseOffset(text)).toBeUndefined();
    },
  );

  it.each([
    [1080, true],
    [1081, false],
    [-1080, true],
    [-1081, false],
    [0.5, false],
    [Number.NaN, false],
  ])('accepts %d minutes: %s', (minutes, acceptable) => {
    expect(isOffsetMinutes(minutes)).toBe(acceptable);
  });
});
