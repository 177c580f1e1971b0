import { describe, expect, it } from 'vitest';
import { round } from './rounding.js';

describe('rounding', () => {
  it.each([
    [102.5, 0, 103],
    [-2.5, 0, -3],
    [2.4999, 0, 2],
    [1.005, 2, 1.01],
    [-1.005, 2, -1.01],
    [8.345, 2, 8.35],
    [76.545, 2, 76.55],
    [0.0005, 3, 0.001],
    [1234567.8905, 3, 1234567.891],
    [72.57477920000001, 3, 72.575],
    [1e-9, 3, 0],
    [5e-324, 3, 0],
    [1e15 + 0.5, 0, 1e15 + 1],
    [9007199254740991, 0, 9007199254740991],
    [9007199254740991, 3, 9007199254740991],
  ])('rounds %d to %i decimals as %d', (value, decimals, expected) => {
    expect(round(value, decimals)).toBe(expected);
  });

  it('never rounds to negative zero', () => {
    expect(Object.is(round(-0.4), 0)).toBe(true);
    expect(Object.is(round(-0), 0)).toBe(true);
  });

  it('returns NaN and infinity unchanged', () => {
    expect(round(Number.NaN, 2)).toBeNaN();
    expect(round(Number.POSITIVE_INFINITY, 2)).toBe(Number.POSITIVE_INFINITY);
    expect(round(Number.MAX_VALUE, 3)).toBe(Number.MAX_VALUE);
  });

  it('rounds decimal halves up and smaller fractions down', () => {
    for (let whole = 0; whole < 100_000; whole += 7) {
      for (const decimals of [1, 2, 3]) {
        const digits = String(whole).padStart(decimals + 1, '0');
        const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
        const up = (whole + 1) / 10 ** decimals;
        if (round(Number(`${text}5`), decimals) !== up) expect.fail(`${text}5`);
        if (round(Number(`${text}4999999`), decimals) !== Number(text)) expect.fail(`${text}4999999`);
      }
    }
  });
});
