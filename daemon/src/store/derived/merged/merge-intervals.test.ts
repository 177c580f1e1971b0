import { describe, expect, it, test } from 'vitest';
import { Turns } from '../../../platform/turns.js';
import { type Counted, countOnce, type Part } from './merge-intervals.js';

const byRank = (a: number, b: number) => a - b;

/** Returns a part of a source whose number is also its rank. */
function part(sourceId: number, fromMs: number, toMs: number, value: number): Part<number> {
  return { sourceId, rank: sourceId, day: 0, fromMs, toMs, value, durationMs: toMs - fromMs };
}

const count = (parts: readonly Part<number>[]): Promise<Counted> => countOnce(parts, byRank, new Turns());
const amounts = async (...parts: Part<number>[]) => (await count(parts)).parts.map(({ amount }) => amount);

describe('overlapping sources', () => {
  it('count only the part of an interval that no better source covers', async () => {
    expect(await amounts(part(1, 0, 60, 1000), part(2, 30, 90, 1200))).toEqual([1000, 600]);
    expect(await amounts(part(2, 0, 60, 1000), part(1, 30, 90, 1200))).toEqual([500, 1200]);
  });

  it('count equal intervals once, from the better source, even at zero', async () => {
    expect(await amounts(part(1, 0, 60, 0), part(2, 0, 60, 500))).toEqual([0, 0]);
  });

  it('count an interval on both sides of a better interval', async () => {
    const { parts, stretches } = await count([part(2, 0, 100, 100), part(1, 40, 50, 7)]);
    expect(parts.map(({ amount }) => amount)).toEqual([90, 7]);
    expect(stretches).toEqual([
      { sourceId: 2, day: 0, fromMs: 0, toMs: 40, amount: 40 },
      { sourceId: 1, day: 0, fromMs: 40, toMs: 50, amount: 7 },
      { sourceId: 2, day: 0, fromMs: 50, toMs: 100, amount: 50 },
    ]);
  });

  it('fill gaps of the best source from the second, then the third', async () => {
    expect(await amounts(part(1, 0, 10, 10), part(2, 5, 20, 30), part(3, 0, 40, 400))).toEqual([10, 200, 20]);
  });

  it('lose exactly the overlapping milliseconds', async () => {
    expect(await amounts(part(1, 0, 10, 5), part(2, 10, 20, 6))).toEqual([5, 6]);
    expect(await amounts(part(1, 0, 11, 5), part(2, 10, 20, 10))).toEqual([5, 9]);
  });

  it('count duplicate samples of one source twice', async () => {
    expect(await amounts(part(1, 0, 10, 5), part(1, 0, 10, 6), part(2, 0, 20, 8))).toEqual([5, 6, 4]);
  });
});

describe('a reading without an interval', () => {
  it('counts completely outside better intervals without reducing other intervals', async () => {
    expect(await amounts(part(1, 10, 20, 5), part(2, 20, 20, 7), part(2, 9, 9, 3))).toEqual([3, 5, 7]);
    expect(await amounts(part(1, 15, 15, 5), part(2, 10, 20, 8))).toEqual([8, 5]);
  });

  it("does not count inside a better source's interval or at its instant", async () => {
    expect(await amounts(part(1, 10, 20, 5), part(2, 10, 10, 7), part(2, 19, 19, 7))).toEqual([5, 0, 0]);
    expect(await amounts(part(1, 10, 10, 5), part(2, 10, 10, 7))).toEqual([5, 0]);
  });
});

/** Returns the length that remains of an interval after the better intervals are cut out in sequence. */
function uncovered({ fromMs, toMs }: Part<number>, better: readonly Part<number>[]): number {
  let left: [number, number][] = [[fromMs, toMs]];
  for (const cut of better) {
    left = left.flatMap(([from, to]): [number, number][] => [
      [from, Math.min(to, Math.max(from, cut.fromMs))],
      [Math.max(from, Math.min(to, cut.toMs)), to],
    ]);
    left = left.filter(([from, to]) => to > from);
  }
  return left.reduce((sum, [from, to]) => sum + to - from, 0);
}

it('matches a one-by-one removal of better intervals for random samples', async () => {
  let seed = 20261121;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let round = 0; round < 400; round++) {
    const parts = Array.from({ length: 1 + random(24) }, () => {
      const fromMs = random(60);
      return part(random(4), fromMs, fromMs + (random(4) === 0 ? 0 : random(30)), random(100));
    });
    const sorted = [...parts].sort(
      (a, b) => a.fromMs - b.fromMs || a.sourceId - b.sourceId || a.toMs - b.toMs || a.value - b.value,
    );
    const expected = sorted.map((own) => {
      const better = parts.filter((other) => other.rank < own.rank);
      if (own.durationMs > 0) {
        const intervals = better.filter(({ durationMs }) => durationMs > 0);
        return (own.value * uncovered(own, intervals)) / own.durationMs;
      }
      const taken = better.some(
        ({ fromMs, toMs }) => fromMs === own.fromMs || (fromMs <= own.fromMs && own.fromMs < toMs),
      );
      return taken ? 0 : own.value;
    });
    const counted = await count(parts);
    for (const [index, { amount }] of counted.parts.entries()) {
      expect(amount).toBeCloseTo(expected[index] ?? Number.NaN, 9);
    }
    const sum = (items: readonly { amount: number }[]) => items.reduce((all, { amount }) => all + amount, 0);
    expect(sum(counted.stretches)).toBeCloseTo(sum(counted.parts), 9);
  }
});

test('compares each pair of sources, not each pair of overlapping samples', async () => {
  let compared = 0;
  const parts = Array.from({ length: 10_000 }, (_, index) => part(1 + (index % 3), index, 40_000 - index, 5));
  await countOnce(parts, (a, b) => ++compared && a - b, new Turns());
  expect(compared).toBeLessThan(10);
});
