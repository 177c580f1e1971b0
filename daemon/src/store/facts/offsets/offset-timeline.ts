import { fromDayNumber, localDayNumber, MS_PER_DAY, MS_PER_HOUR, ZoneOffsets } from '@healthd/model';

/** How far away an offset may have been seen to place a record without one, before any zone that is known. */
const REACH_MS = 36 * MS_PER_HOUR;
/** {@link REACH_MS} in whole UTC days, rounded up. */
const REACH_DAYS = 2;

const zones = new ZoneOffsets();

/** One offset from UTC that a user's own data showed on one UTC day, first and last instant in epoch milliseconds. */
export interface OffsetSpan {
  offsetMinutes: number;
  firstMs: number;
  lastMs: number;
  /** The zone whose offset it was, where items named one. */
  zone?: string;
}

/** A timeline as data. */
export interface TimelineData {
  fallbackZone: string | undefined;
  spans: readonly OffsetSpan[];
}

/**
 * Which offsets a user's data showed when. It places records that came without an offset, and `nearestOffset` of
 * `reading/` by the same order of evidence in SQL: what was seen within 36 hours, the zone of the user or of a
 * connection, what was seen nearest, UTC.
 */
export class OffsetTimeline {
  private readonly days = new Map<number, OffsetSpan[]>();
  /** Keys of `days`, ascending; undefined when days came since they were sorted. */
  private sorted: number[] | undefined;

  /** @param fallbackZone IANA name of the zone that counts where nothing was seen within 36 hours */
  constructor(readonly fallbackZone?: string) {}

  /** Takes note of an offset seen at an instant, or from `firstMs` to `lastMs` of one UTC day. */
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
    // Either of two zones that agree on this day will do, as long as it is the same in any order of arrival.
    if (zone !== undefined && (span.zone === undefined || zone < span.zone)) span.zone = zone;
  }

  /** The timeline of some data. */
  static of({ fallbackZone, spans }: TimelineData): OffsetTimeline {
    const timeline = new OffsetTimeline(fallbackZone);
    for (const { offsetMinutes, firstMs, lastMs, zone } of spans) timeline.add(offsetMinutes, firstMs, lastMs, zone);
    return timeline;
  }

  /** The timeline as data that a thread can be given. */
  data(): TimelineData {
    return { fallbackZone: this.fallbackZone, spans: this.spans() };
  }

  spans(): OffsetSpan[] {
    return [...this.days.values()].flat();
  }

  copy(): OffsetTimeline {
    return this.inZone(this.fallbackZone);
  }

  /** The same sights with another fallback zone. */
  inZone(fallbackZone: string | undefined): OffsetTimeline {
    return OffsetTimeline.of({ fallbackZone, spans: this.spans() });
  }

  /** What `other` has and this one lacks, whole spans as they are in `other`. */
  growthTo(other: OffsetTimeline): OffsetSpan[] {
    return other.spans().filter((span) => {
      const day = Math.floor(span.firstMs / MS_PER_DAY);
      const known = this.days.get(day)?.find(({ offsetMinutes }) => offsetMinutes === span.offsetMinutes);
      return !known || span.firstMs < known.firstMs || span.lastMs > known.lastMs || span.zone !== known.zone;
    });
  }

  /**
   * The offset of a record that came without one: the nearest seen within 36 hours, else that of the fallback zone, else
   * the nearest seen at all, else 0. Of two equally near the later one counts, then the one further ahead of UTC.
   */
  offsetAt(ms: number): number {
    const near = nearest(this.spansWithin(ms, REACH_DAYS), ms, REACH_MS);
    if (near) return offsetOf(near, ms);
    const fallback = this.fallbackZone === undefined ? undefined : zones.at(this.fallbackZone, ms);
    if (fallback !== undefined) return fallback;
    const anywhere = nearest(this.neighbours(ms), ms, Number.POSITIVE_INFINITY);
    return anywhere ? offsetOf(anywhere, ms) : 0;
  }

  /** The local date of an instant by a record's own offset, else by this timeline. */
  localDateOf(ms: number, offsetMinutes: number | undefined): string {
    return fromDayNumber(localDayNumber(ms, offsetMinutes ?? this.offsetAt(ms)));
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
    const offsets = [0];
    const around = [ms - REACH_DAYS * MS_PER_DAY, ms + REACH_DAYS * MS_PER_DAY];
    for (const span of [...this.spansWithin(ms, REACH_DAYS + 2), ...around.flatMap((at) => this.neighbours(at))]) {
      offsets.push(span.offsetMinutes);
      if (span.zone !== undefined) for (const at of around) offsets.push(offsetOf(span, at));
    }
    const { fallbackZone } = this;
    if (fallbackZone !== undefined) for (const at of around) offsets.push(zones.at(fallbackZone, at) ?? 0);
    return offsets;
  }

  /**
   * How far around a span that this timeline does not have yet the place of records without an offset may change.
   * @param fallbackZone the zone that will count
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

  /** What was seen on the last day up to that of an instant, and on the first one after it. */
  private neighbours(ms: number): OffsetSpan[] {
    const days = this.sortedDays();
    const next = countBefore(days, Math.floor(ms / MS_PER_DAY) + 1);
    return [days[next - 1], days[next]].flatMap((day) => (day === undefined ? [] : (this.days.get(day) ?? [])));
  }

  private sortedDays(): number[] {
    this.sorted ??= [...this.days.keys()].sort((a, b) => a - b);
    return this.sorted;
  }
}

/** What a span says of an instant near it: a zone knows when its clock changes. */
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

/** How many of the ascending numbers are smaller than `limit`. */
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
