import { localDayNumber } from '@healthd/model';

const MS_PER_DAY = 86_400_000;
/** How far away an offset may have been seen to still place a record without one. */
const REACH_MS = 36 * 3_600_000;
/** {@link REACH_MS} in whole UTC days, rounded up. */
const REACH_DAYS = 2;

/** One offset from UTC that a user's own data showed on one UTC day, first and last instant in epoch milliseconds. */
export interface OffsetSpan {
  offsetMinutes: number;
  firstMs: number;
  lastMs: number;
}

/** Which offsets a user's data showed when. It places records that came without an offset. */
export class OffsetTimeline {
  private readonly days = new Map<number, OffsetSpan[]>();

  /** Takes note of an offset seen at an instant, or from `firstMs` to `lastMs` of one UTC day. */
  add(offsetMinutes: number, firstMs: number, lastMs = firstMs): void {
    const day = Math.floor(firstMs / MS_PER_DAY);
    let spans = this.days.get(day);
    if (!spans) {
      spans = [];
      this.days.set(day, spans);
    }
    const span = spans.find((known) => known.offsetMinutes === offsetMinutes);
    if (!span) {
      spans.push({ offsetMinutes, firstMs, lastMs });
      return;
    }
    span.firstMs = Math.min(span.firstMs, firstMs);
    span.lastMs = Math.max(span.lastMs, lastMs);
  }

  spans(): OffsetSpan[] {
    return [...this.days.values()].flat();
  }

  copy(): OffsetTimeline {
    const twin = new OffsetTimeline();
    for (const span of this.spans()) twin.add(span.offsetMinutes, span.firstMs, span.lastMs);
    return twin;
  }

  /** What `other` has and this one lacks, whole spans as they are in `other`. */
  growthTo(other: OffsetTimeline): OffsetSpan[] {
    return other.spans().filter((span) => {
      const day = Math.floor(span.firstMs / MS_PER_DAY);
      const known = this.days.get(day)?.find(({ offsetMinutes }) => offsetMinutes === span.offsetMinutes);
      return !known || span.firstMs < known.firstMs || span.lastMs > known.lastMs;
    });
  }

  /**
   * The nearest offset seen within 36 hours, else 0. Of two equally near the later one counts, then the one further
   * ahead of UTC.
   */
  offsetAt(ms: number): number {
    let best: OffsetSpan | undefined;
    let bestDistance = Number.POSITIVE_INFINITY;
    const day = Math.floor(ms / MS_PER_DAY);
    for (let near = day - REACH_DAYS; near <= day + REACH_DAYS; near++) {
      for (const span of this.days.get(near) ?? []) {
        const distance = Math.max(0, span.firstMs - ms, ms - span.lastMs);
        if (distance > REACH_MS || distance > bestDistance) continue;
        if (distance === bestDistance && best && !isPreferred(span, best)) continue;
        best = span;
        bestDistance = distance;
      }
    }
    return best?.offsetMinutes ?? 0;
  }

  /** The latest local day that any record at or before `ms`, and near it, can have. */
  latestDay(ms: number): number {
    return localDayNumber(ms, Math.max(...this.offsetsAround(ms)));
  }

  /** The earliest local day that any record at or after `ms`, and near it, can have. */
  earliestDay(ms: number): number {
    return localDayNumber(ms, Math.min(...this.offsetsAround(ms)));
  }

  /** Every offset that a record may have within two days of an instant. */
  offsetsAround(ms: number): number[] {
    const day = Math.floor(ms / MS_PER_DAY);
    const offsets = [0];
    for (let near = day - REACH_DAYS - 2; near <= day + REACH_DAYS + 2; near++) {
      for (const { offsetMinutes } of this.days.get(near) ?? []) offsets.push(offsetMinutes);
    }
    return offsets;
  }
}

function isPreferred(span: OffsetSpan, other: OffsetSpan): boolean {
  return span.lastMs === other.lastMs ? span.offsetMinutes > other.offsetMinutes : span.lastMs > other.lastMs;
}

/** How far around a new span of offsets the local date of records without an offset may change. */
export function reachOf(span: OffsetSpan): { fromMs: number; toMs: number } {
  return { fromMs: span.firstMs - REACH_MS, toMs: span.lastMs + REACH_MS };
}
