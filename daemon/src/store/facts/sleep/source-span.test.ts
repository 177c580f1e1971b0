import { MS_PER_DAY } from '@healthd/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinSpans, type SourceSpan, spansToAssemble } from './source-span.js';

const span = fc.tuple(fc.constantFrom(3, 5), fc.nat({ max: 60 }), fc.nat({ max: 6 })).map(
  ([sourceId, from, length]): SourceSpan => ({
    sourceId,
    fromMs: (from * MS_PER_DAY) / 2,
    toMs: ((from + length) * MS_PER_DAY) / 2,
  }),
);

/** Joins two spans at a time until no spans are near enough. */
function joinedNaively(spans: readonly SourceSpan[], gap: number): SourceSpan[] {
  const left = [...spans];
  for (let at = 0; at < left.length; ) {
    const own = left[at]!;
    const other = left.findIndex(
      (one, index) =>
        index > at && one.sourceId === own.sourceId && one.fromMs <= own.toMs + gap && own.fromMs <= one.toMs + gap,
    );
    if (other < 0) {
      at++;
      continue;
    }
    const [one] = left.splice(other, 1);
    left[at] = { ...own, fromMs: Math.min(own.fromMs, one!.fromMs), toMs: Math.max(own.toMs, one!.toMs) };
    at = 0;
  }
  return left.sort((a, b) => a.sourceId - b.sourceId || a.fromMs - b.fromMs);
}

describe('spans of changed stages', () => {
  it('join across pauses up to the maximum gap', () => {
    const property = fc.property(
      fc.array(span, { maxLength: 12 }),
      fc.constantFrom(0, MS_PER_DAY / 2, MS_PER_DAY),
      (all, gap) => {
        expect(joinSpans(all, gap)).toEqual(joinedNaively(all, gap));
      },
    );
    fc.assert(property, { numRuns: 300 });
    expect(
      joinSpans([
        { sourceId: 1, fromMs: 0, toMs: 1 },
        { sourceId: 1, fromMs: 1 + MS_PER_DAY, toMs: 2 + MS_PER_DAY },
      ]),
    ).toHaveLength(1);
  });

  it('join with the nearest spans until at most 100 remain', () => {
    // Pauses grow, so the first spans are the nearest.
    const spansOf = (sourceId: number, count: number) =>
      Array.from({ length: count }, (_, index): SourceSpan => {
        const fromMs = (2 * index + (index * index) / 1_000) * MS_PER_DAY;
        return { sourceId, fromMs, toMs: fromMs + 1 };
      });
    expect(spansToAssemble(spansOf(1, 100))).toEqual(spansOf(1, 100));
    const [first, ...others] = spansToAssemble(spansOf(1, 103));
    expect([first, others.length]).toEqual([{ sourceId: 1, fromMs: 0, toMs: spansOf(1, 4)[3]?.toMs }, 99]);
    const two = spansToAssemble([...spansOf(2, 60), ...spansOf(1, 60)]);
    expect(two.length).toBeLessThanOrEqual(100);
    expect(new Set(two.map(({ sourceId }) => sourceId))).toEqual(new Set([1, 2]));
  });

  it('cover every changed stage of a long list', () => {
    const all = Array.from({ length: 12_000 }, (_, index): SourceSpan => {
      const fromMs = ((index * 7_919) % 12_000) * 3 * MS_PER_DAY;
      return { sourceId: index % 2, fromMs, toMs: fromMs + MS_PER_DAY };
    });
    const joined = spansToAssemble(all);
    expect(joined.length).toBeLessThanOrEqual(300);
    for (const one of all.slice(0, 500)) {
      expect(
        joined.some(
          ({ sourceId, fromMs, toMs }) => sourceId === one.sourceId && fromMs <= one.fromMs && one.toMs <= toMs,
        ),
      ).toBe(true);
    }
  });
});
