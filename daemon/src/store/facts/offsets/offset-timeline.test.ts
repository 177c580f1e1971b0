import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OffsetTimeline } from './offset-timeline.js';

const FIRST = Date.UTC(2026, 2, 24);
const REACH_MS = 36 * MS_PER_HOUR;
/** A zone whose clock changes on 29 March 2026 at 01:00 UTC. */
const ZONE = 'Europe/Warsaw';
const zoneOffset = (ms: number) => (ms < Date.UTC(2026, 2, 29, 1) ? 60 : 120);

interface Observed {
  ms: number;
  offsetMinutes: number;
}

const instant = fc.integer({ min: 0, max: 12 * 8 }).map((steps) => FIRST + steps * 3 * MS_PER_HOUR);
const observed = fc.record({ ms: instant, offsetMinutes: fc.constantFrom(-480, 60, 330, 840) });
const fallback = fc.constantFrom(undefined, ZONE);

function timelineOf(all: readonly Observed[], zone?: string): OffsetTimeline {
  const timeline = new OffsetTimeline(zone);
  for (const { ms, offsetMinutes } of all) timeline.add(offsetMinutes, ms);
  return timeline;
}

/** Observations of one offset on one UTC day form one span. */
function spansOf(all: readonly Observed[]) {
  const spans = new Map<string, { offsetMinutes: number; firstMs: number; lastMs: number }>();
  for (const { ms, offsetMinutes } of all) {
    const key = `${Math.floor(ms / MS_PER_DAY)} ${offsetMinutes}`;
    const known = spans.get(key) ?? { offsetMinutes, firstMs: ms, lastMs: ms };
    spans.set(key, { offsetMinutes, firstMs: Math.min(known.firstMs, ms), lastMs: Math.max(known.lastMs, ms) });
  }
  return [...spans.values()];
}

/** Implements the rule by sorting all spans by distance, then by the later end, then by the larger offset. */
function expectedOffset(all: readonly Observed[], ms: number, zone: string | undefined): number {
  const ranked = spansOf(all)
    .map((span) => ({ ...span, distance: Math.max(0, span.firstMs - ms, ms - span.lastMs) }))
    .sort((a, b) => a.distance - b.distance || b.lastMs - a.lastMs || b.offsetMinutes - a.offsetMinutes);
  const [best] = ranked;
  if (best && best.distance <= REACH_MS) return best.offsetMinutes;
  if (zone !== undefined) return zoneOffset(ms);
  return best?.offsetMinutes ?? 0;
}

describe('the offset for a record without its own offset', () => {
  it('comes from near observations, else the fallback zone, else any observation', () => {
    const property = fc.property(fc.array(observed, { maxLength: 6 }), fallback, instant, (all, zone, ms) => {
      // Also tests instants far from all observations.
      for (const at of [ms, ms + REACH_MS, ms - 30 * MS_PER_DAY, ms + 30 * MS_PER_DAY]) {
        expect(timelineOf(all, zone).offsetAt(at)).toBe(expectedOffset(all, at, zone));
      }
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('comes from an observation at most 36 hours away', () => {
    const timeline = timelineOf([{ ms: FIRST, offsetMinutes: 330 }], ZONE);
    expect([0, 1].map((ms) => timeline.offsetAt(FIRST + REACH_MS + ms))).toEqual([330, 60]);
    expect([0, 1].map((ms) => timeline.offsetAt(FIRST - REACH_MS - ms))).toEqual([330, 60]);
  });

  it('follows the clock of a reported zone', () => {
    const timeline = new OffsetTimeline();
    const before = Date.UTC(2026, 2, 29, 0, 30);
    timeline.add(60, before, before, ZONE);
    expect([before, before + MS_PER_HOUR].map((ms) => timeline.offsetAt(ms))).toEqual([60, 120]);
  });

  it('does not depend on the order of two zones with one offset', () => {
    const zones = ['Europe/Warsaw', 'Africa/Lagos', undefined];
    const spans = [zones, zones.toReversed()].map((ordered) => {
      const timeline = new OffsetTimeline();
      for (const zone of ordered) timeline.add(60, FIRST, FIRST, zone);
      return timeline.spans();
    });
    expect(spans[0]).toEqual([{ offsetMinutes: 60, firstMs: FIRST, lastMs: FIRST, zone: 'Africa/Lagos' }]);
    expect(spans[1]).toEqual(spans[0]);
  });
});

it('changes offsets only within the range of an added observation', () => {
  const property = fc.property(fc.array(observed, { maxLength: 5 }), observed, fallback, (all, added, zone) => {
    const [before, after] = [timelineOf(all, zone), timelineOf([...all, added], zone)];
    const [growth] = before.growthTo(after);
    const influence = growth && after.influenceOf(growth);
    for (let ms = FIRST - 5 * MS_PER_DAY; ms < FIRST + 17 * MS_PER_DAY; ms += 90 * MS_PER_MINUTE) {
      if (before.offsetAt(ms) === after.offsetAt(ms)) continue;
      expect(
        influence !== undefined && influence.fromMs <= ms && ms <= influence.toMs,
        new Date(ms).toISOString(),
      ).toBe(true);
    }
    expect(after.growthTo(before)).toEqual([]);
    expect(before.growthTo(before.copy())).toEqual([]);
    if (zone !== undefined && influence) {
      expect(influence).toEqual({ fromMs: (growth?.firstMs ?? 0) - REACH_MS, toMs: (growth?.lastMs ?? 0) + REACH_MS });
    }
  });
  fc.assert(property, { numRuns: 150 });
});

it('bounds the local days of records around an instant', () => {
  const dayOf = (timeline: OffsetTimeline, ms: number) => Date.parse(timeline.localDateOf(ms, undefined)) / MS_PER_DAY;
  const property = fc.property(fc.array(observed, { maxLength: 5 }), fallback, instant, (all, zone, ms) => {
    const timeline = timelineOf(all, zone);
    for (const { offsetMinutes } of all.filter((one) => Math.abs(one.ms - ms) <= REACH_MS)) {
      expect(timeline.offsetsAround(ms)).toContain(offsetMinutes);
    }
    for (let hours = 0; hours < 48; hours += 3) {
      expect(dayOf(timeline, ms - hours * MS_PER_HOUR)).toBeLessThanOrEqual(timeline.latestDay(ms));
      expect(dayOf(timeline, ms + hours * MS_PER_HOUR)).toBeGreaterThanOrEqual(timeline.earliestDay(ms));
    }
  });
  fc.assert(property, { numRuns: 200 });
});

it('keeps its offsets when serialized or moved to another zone', () => {
  const timeline = timelineOf([{ ms: FIRST, offsetMinutes: 330 }], ZONE);
  expect(OffsetTimeline.of(timeline.data()).data()).toEqual(timeline.data());
  expect(timeline.inZone(undefined).data()).toEqual({ fallbackZone: undefined, spans: timeline.spans() });
  expect(timeline.localDateOf(FIRST - 6 * MS_PER_HOUR, 0)).toBe('2026-03-23');
});
