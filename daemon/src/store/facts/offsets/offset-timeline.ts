import { fromDayNumber, localDayNumber, MS_PER_DAY, MS_PER_HOUR, ZoneOffsets } from '@healthd/model';

/**
 * Maximum distance at which an observed offset takes precedence over the fallback zone for a record without an offset.
 */
const REACH_MS = 36 * MS_PER_HOUR;
/** {@link REACH_MS} in whole UTC days, rounded up. */
const REACH_DAYS = 2;

const zones = new ZoneOffsets();

/** A UTC offset observed in a user's data on one UTC day, with its first and last instant in epoch milliseconds. */
export interface OffsetSpan {
  offsetMinutes: number;
  firstMs: number;
  lastMs: number;
  /** Zone of the offset, if items reported a zone. */
  zone?: string;
}

/** Timeline as plain data. */
export interface TimelineData {
  fallbackZone: string | undefined;
  spans: readonly OffsetSpan[];
}

/**
 * UTC offsets that were observed in a user's data, by time. Dates records without an offset by this evidence, in order:
 * an offset within 36 hours, the zone of the user or of a connection, the nearest offset at any distance, UTC.
 * `nearestOffset` of `query/` does the same in SQL.
 */
export class OffsetTimeline {
  private readonly days = new Map<number, OffsetSpan[]>();
  /** Keys of `days`, ascending; undefined if days were added since the last sort. */
  private sorted: number[] | undefined;

  /** @param fallbackZone IANA name of the zone that applies if no offset was observed within 36 hours */
  constructor(readonly fallbackZone?: string) {}

  /** Adds an offset observed at an instant, or from `firstMs` to `lastMs` of one UTC day. */
  add(offsetMinutes: number, firstMs: number, lastMs = firstMs, zone?: string): void {
    const day = Math.floor(firstMs / MS_PER_DAY);
    let spans = this.days.get(day);
    if (!spans) {
      spans = [];
      this.days.set(day, spans);
      this.sorted = undefined;
    }
    const span = spans.find((known) => known.offsetMinutes === offsetMinutes);
    if (!span) {
      spans.push({ offsetMinutes, firstMs, lastMs, zone });
      return;
    }
    span.firstMs = Math.min(span.firstMs, firstMs);
    span.lastMs = Math.max(span.lastMs, lastMs);
    // Keeps the alphabetically first zone, so that the result does not depend on the order of arrival.
    if (zone !== undefined && (span.zone === undefined || zone < span.zone)) span.zone = zone;
  }

  /** Restores a timeline from {@link TimelineData}. */
  static of({ fallbackZone, spans }: TimelineData): OffsetTimeline {
    const timeline = new OffsetTimeline(fallbackZone);
    for (const { offsetMinutes, firstMs, lastMs, zone } of spans) timeline.add(offsetMinutes, firstMs, lastMs, zone);
    return timeline;
  }

  /** Returns the timeline as data that a thread can receive. */
  data(): TimelineData {
    return { fallbackZone: this.fallbackZone, spans: this.spans() };
  }

  spans(): OffsetSpan[] {
    return [...this.days.values()].flat();
  }

  copy(): OffsetTimeline {
    return this.inZone(this.fallbackZone);
  }

  /** Returns the same observations with another fallback zone. */
  inZone(fallbackZone: string | undefined): OffsetTimeline {
    return OffsetTimeline.of({ fallbackZone, spans: this.spans() });
  }

  /** Returns the spans of `other` that are missing or shorter in this timeline. */
  growthTo(other: OffsetTimeline): OffsetSpan[] {
    return other.spans().filter((span) => {
      const day = Math.floor(span.firstMs / MS_PER_DAY);
      const known = this.days.get(day)?.find(({ offsetMinutes }) => offsetMinutes === span.offsetMinutes);
      return !known || span.firstMs < known.firstMs || span.lastMs > known.lastMs || span.zone !== known.zone;
    });
  }

  /**
   * Returns the offset of a record without its own offset: the nearest offset within 36 hours, otherwise the fallback
   * zone's offset, otherwise the nearest offset, otherwise 0. If two offsets are equally near, the later offset
   * applies, then the larger offset.
   */
  offsetAt(ms: number): number {
    const near = this.days.size === 0 ? undefined : nearest(this.spansWithin(ms, REACH_DAYS), ms, REACH_MS);
    if (near) return offsetOf(near, ms);
    const fallback = this.fallbackZone === undefined ? undefined : zones.at(this.fallbackZone, ms);
    if (fallback !== undefined || this.days.size === 0) return fallback ?? 0;
    const anywhere = nearest(this.nearestSpans(ms), ms, Number.POSITIVE_INFINITY);
    return anywhere ? offsetOf(anywhere, ms) : 0;
  }

  /** Returns the local date of an instant, by the record's own offset or by this timeline. */
  localDateOf(ms: number, offsetMinutes: number | undefined): string {
    return fromDayNumber(localDayNumber(ms, offsetMinutes ?? this.offsetAt(ms)));
  }

  /** Returns the latest possible local day of records shortly before `ms`. */
  latestDay(ms: number): number {
    return localDayNumber(ms, Math.max(...this.offsetsAround(ms)));
  }

  /** Returns the earliest possible local day of records shortly after `ms`. */
  earliestDay(ms: number): number {
    return localDayNumber(ms, Math.min(...this.offsetsAround(ms)));
  }

  /** Returns all possible offsets of records within two days of an instant. */
  offsetsAround(ms: number): number[] {
    const offsets = [0];
    const around = [ms - REACH_DAYS * MS_PER_DAY, ms + REACH_DAYS * MS_PER_DAY];
    for (const span of [...this.spansWithin(ms, REACH_DAYS + 2), ...around.flatMap((at) => this.nearestSpans(at))]) {
      offsets.push(span.offsetMinutes);
      if (span.zone !== undefined) for (const at of around) offsets.push(offsetOf(span, at));
    }
    const { fallbackZone } = this;
    if (fallbackZone !== undefined) for (const at of around) offsets.push(zones.at(fallbackZone, at) ?? 0);
    return offsets;
  }

  /**
   * Returns the time range in which an added span may change the local time of records without an offset.
   * @param fallbackZone the fallback zone after the addition
   */
  influenceOf({ firstMs, lastMs }: OffsetSpan, fallbackZone = this.fallbackZone): { fromMs: number; toMs: number } {
    const near = { fromMs: firstMs - REACH_MS, toMs: lastMs + REACH_MS };
    if (fallbackZone !== undefined) return near;
    const days = this.sortedDays();
    const day = Math.floor(firstMs / MS_PER_DAY);
    const before = this.days.get(days[countBefore(days, day) - 1] ?? Number.NaN);
    const after = this.days.get(days[countBefore(days, day + 1)] ?? Number.NaN);
    return {
      fromMs: Math.min(near.fromMs, ...(before ?? [{ lastMs: Number.NEGATIVE_INFINITY }]).map((span) => span.lastMs)),
      toMs: Math.max(near.toMs, ...(after ?? [{ firstMs: Number.POSITIVE_INFINITY }]).map((span) => span.firstMs)),
    };
  }

  private spansWithin(ms: number, reachDays: number): OffsetSpan[] {
    const day = Math.floor(ms / MS_PER_DAY);
    const found: OffsetSpan[] = [];
    for (let near = day - reachDays; near <= day + reachDays; near++) {
      const spans = this.days.get(near);
      if (spans) found.push(...spans);
    }
    return found;
  }

  /** Returns the spans of the last day that is not after an instant's day, and of the first day after it. */
  private nearestSpans(ms: number): OffsetSpan[] {
    const days = this.sortedDays();
    const next = countBefore(days, Math.floor(ms / MS_PER_DAY) + 1);
    return [days[next - 1], days[next]].flatMap((day) => (day === undefined ? [] : (this.days.get(day) ?? [])));
  }

  private sortedDays(): number[] {
    this.sorted ??= [...this.days.keys()].sort((a, b) => a - b);
    return this.sorted;
  }
}

/** Returns the offset that a span implies for an instant near it. A zone's offset changes with its clock. */
function offsetOf({ zone, offsetMinutes }: OffsetSpan, ms: number): number {
  return (zone === undefined ? undefined : zones.at(zone, ms)) ?? offsetMinutes;
}

function nearest(spans: readonly OffsetSpan[], ms: number, reachMs: number): OffsetSpan | undefined {
  let best: OffsetSpan | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const span of spans) {
    const distance = Math.max(0, span.firstMs - ms, ms - span.lastMs);
    if (distance > reachMs || distance > bestDistance) continue;
    if (distance === bestDistance && best && !isPreferred(span, best)) continue;
    best = span;
    bestDistance = distance;
  }
  return best;
}

function isPreferred(span: OffsetSpan, other: OffsetSpan): boolean {
  return span.lastMs === other.lastMs ? span.offsetMinutes > other.offsetMinutes : span.lastMs > other.lastMs;
}

/** Counts the numbers below `limit` in an ascending list. */
function countBefore(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
