import { describe, expect, it } from 'vitest';
import { simplifiedLine } from './simplified-line.js';

/** Degrees of latitude that are one meter. */
const METER = 1 / 111_320;
const place = (north: number, east: number) => ({ latitude: north * METER, longitude: east * METER });

describe('simplifying a route', () => {
  it('omits places near the line through the other places', () => {
    const line = [place(0, 0), place(3, 50), place(0, 100), place(60, 150), place(0, 200)];
    expect(simplifiedLine(line, 5)).toEqual([0, 2, 3, 4].map((index) => line[index]));
  });

  it('retains every place without a deviation', () => {
    const line = [place(0, 0), place(0, 50), place(0, 100)];
    expect(simplifiedLine(line, 0)).toEqual(line);
  });

  it('reduces a long straight line to few places', () => {
    const line = Array.from({ length: 20_000 }, (_, index) => place(0, index));
    const simple = simplifiedLine(line, 10);
    expect(simple.length).toBeLessThanOrEqual(42);
    expect([simple[0], simple.at(-1)]).toEqual([line[0], line.at(-1)]);
  });

  it('takes the short way across the 180th meridian', () => {
    const line = [179.998, 179.999, -180, -179.999, -179.998].map((longitude) => ({ latitude: 0, longitude }));
    expect(simplifiedLine(line, 5)).toEqual([line[0], line[4]]);
  });

  // Every point of a growing zigzag splits the line at its end, which is the algorithm's worst case.
  it('simplifies a hostile zigzag in pieces', () => {
    const line = Array.from({ length: 20_000 }, (_, index) => place((index % 2 === 0 ? 1 : -1) * index, index));
    expect(simplifiedLine(line, 1).length).toBeGreaterThan(10_000);
  });

  it.each([[0], [1]])('returns %d places unchanged', (count) => {
    const line = Array.from({ length: count }, () => place(1, 1));
    expect(simplifiedLine(line, 10)).toEqual(line);
  });
});
