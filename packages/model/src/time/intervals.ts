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
