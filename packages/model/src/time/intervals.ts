/** Range between two ascending numbers, such as two instants in milliseconds, or a first and last day. */
export type Interval = readonly [from: number, to: number];

/** A joined interval and its items. */
export interface IntervalGroup<Item> {
  from: number;
  to: number;
  /** In order of start; items with equal starts are in input order. */
  items: Item[];
}

/** Conditions for joining two intervals. */
export interface Joining {
  /** Widest pause to bridge. The default 0 joins intervals that overlap or touch. */
  gap?: number;
  /** Maximum distance of an item's start from the start of its group, exclusive. No limit by default. */
  reach?: number;
}

/** Groups items whose intervals overlap, touch or are near each other, in order of time. */
export function groupIntervals<Item>(
  items: Iterable<Item>,
  intervalOf: (item: Item) => Interval,
  { gap = 0, reach = Number.POSITIVE_INFINITY }: Joining = {},
): IntervalGroup<Item>[] {
  const placed = Array.from(items, (item) => ({ item, interval: intervalOf(item) }));
  placed.sort((a, b) => a.interval[0] - b.interval[0]);
  const groups: IntervalGroup<Item>[] = [];
  let last: IntervalGroup<Item> | undefined;
  for (const { item, interval } of placed) {
    const [from, to] = interval;
    if (
      last !== undefined &&
      from - last.to <= gap &&
      (reach === Number.POSITIVE_INFINITY || from - last.from < reach)
    ) {
      if (to > last.to) last.to = to;
      last.items.push(item);
    } else {
      last = { from, to, items: [item] };
      groups.push(last);
    }
  }
  return groups;
}

/** Joins intervals into as few as possible, ascending, without changing what they cover. */
export function unionOf(intervals: Iterable<Interval>, joining?: Joining): [from: number, to: number][] {
  return groupIntervals(intervals, (interval) => interval, joining).map(({ from, to }) => [from, to]);
}

/**
 * True if one of the intervals contains the number. The intervals must be ascending and disjoint; ends are excluded.
 */
export function isWithin(intervals: readonly Interval[], number: number): boolean {
  const next = firstEndingAfter(intervals, number);
  return next !== undefined && next[0] <= number;
}

/** True if the interval overlaps one of the others, which must be ascending and disjoint. */
export function overlapsAny(intervals: readonly Interval[], [from, to]: Interval): boolean {
  const next = firstEndingAfter(intervals, from);
  return next !== undefined && next[0] < to;
}

function firstEndingAfter(intervals: readonly Interval[], number: number): Interval | undefined {
  let low = 0;
  let high = intervals.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((intervals[middle] as Interval)[1] <= number) low = middle + 1;
    else high = middle;
  }
  return intervals[low];
}

/** Groups whole numbers, such as days, into ranges. Returns the first and last number of each range. */
export function runsOf(numbers: Iterable<number>, joining: Joining): [first: number, last: number][] {
  return unionOf(
    Array.from(numbers, (number): Interval => [number, number]),
    joining,
  );
}

/** Returns the length that the intervals cover together; overlaps count once. */
export function coveredLength(intervals: Iterable<Interval>): number {
  return unionOf(intervals).reduce((length, [from, to]) => length + to - from, 0);
}
