/** From one number to another that is not less, such as instants in milliseconds, or the first and last of some days. */
export type Interval = readonly [from: number, to: number];

/** An interval that others make up, with what they belong to. */
export interface IntervalGroup<Item> {
  from: number;
  to: number;
  /** In order of their start; of equal starts as they were given. */
  items: Item[];
}

/** What makes one interval of two. */
export interface Joining {
  /** The widest pause that is bridged; 0, by default: those that overlap or touch. */
  gap?: number;
  /** What begins so far behind the start of a group, or further, begins another one. No limit by default. */
  reach?: number;
}

/** Gathers items whose intervals overlap, touch or lie near each other, in order of time. */
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

/** The same numbers in as few intervals as possible, ascending. */
export function unionOf(intervals: Iterable<Interval>, joining?: Joining): [from: number, to: number][] {
  return groupIntervals(intervals, (interval) => interval, joining).map(({ from, to }) => [from, to]);
}

/** True if a number is in one of some intervals, which are ascending and free of overlap. Their ends are excluded. */
export function isWithin(intervals: readonly Interval[], number: number): boolean {
  const next = firstEndingAfter(intervals, number);
  return next !== undefined && next[0] <= number;
}

/** True if an interval overlaps one of some others, which are as for {@link isWithin}. */
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

/** Whole numbers, such as days, as runs from the first to the last. */
export function runsOf(numbers: Iterable<number>, joining: Joining): [first: number, last: number][] {
  return unionOf(
    Array.from(numbers, (number): Interval => [number, number]),
    joining,
  );
}

/** How much the intervals cover together; what several cover counts once. */
export function coveredLength(intervals: Iterable<Interval>): number {
  return unionOf(intervals).reduce((length, [from, to]) => length + to - from, 0);
}
