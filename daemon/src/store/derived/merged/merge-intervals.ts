/** A sample, or its part on one local day. `fromMs = toMs` for a reading without an interval. */
export interface Part<Rank> {
  sourceId: number;
  rank: Rank;
  day: number;
  fromMs: number;
  toMs: number;
  /** Value and length of the whole sample, over which the value is spread evenly. */
  value: number;
  durationMs: number;
  /** What the caller knows the part by. */
  row?: number | undefined;
}

/** What counts of a part: the stretches in which no better source has a sample, ascending, and their share of the value. */
export interface CountedPart {
  sourceId: number;
  day: number;
  amount: number;
  ranges: { fromMs: number; toMs: number }[];
  row?: number | undefined;
}

interface Open<Rank> {
  part: Part<Rank>;
  countedMs: number;
  ranges: CountedPart['ranges'];
}

/**
 * Counts each instant by the best source that has a sample there. What one source says twice about an instant counts
 * twice, as in its own sum. An interval is [from, to); a reading without one is covered by an interval of a better source
 * around it, or by a better source's reading of the same instant, and covers nothing but that instant itself.
 * @param compare orders ranks; lower wins
 * @returns one entry for each part, ordered by start, then source
 */
export function countOnce<Rank>(parts: readonly Part<Rank>[], compare: (a: Rank, b: Rank) => number): CountedPart[] {
  const order: Open<Rank>[] = [...parts]
    .sort((a, b) => a.fromMs - b.fromMs || a.sourceId - b.sourceId || a.toMs - b.toMs || a.value - b.value)
    .map((part) => ({ part, countedMs: 0, ranges: [] }));
  const isBest = ({ part }: Open<Rank>, others: readonly Open<Rank>[]) =>
    others.every((other) => other.part.sourceId === part.sourceId || compare(part.rank, other.part.rank) < 0);
  let active: Open<Rank>[] = [];
  let nowMs = Number.NEGATIVE_INFINITY;
  let next = 0;
  for (;;) {
    const untilMs = active.reduce((ms, { part }) => Math.min(ms, part.toMs), order[next]?.part.fromMs ?? Infinity);
    if (untilMs === Infinity) break;
    for (const open of active) if (isBest(open, active)) extend(open, nowMs, untilMs);
    nowMs = untilMs;
    active = active.filter(({ part }) => part.toMs > nowMs);
    const readings: Open<Rank>[] = [];
    for (let open = order[next]; open?.part.fromMs === nowMs; open = order[++next]) {
      (open.part.toMs > nowMs ? active : readings).push(open);
    }
    for (const reading of readings) {
      if (isBest(reading, active) && isBest(reading, readings)) reading.ranges.push({ fromMs: nowMs, toMs: nowMs });
    }
  }
  return order.map(counted);
}

function extend<Rank>(open: Open<Rank>, fromMs: number, toMs: number): void {
  open.countedMs += toMs - fromMs;
  const last = open.ranges.at(-1);
  if (last?.toMs === fromMs) last.toMs = toMs;
  else open.ranges.push({ fromMs, toMs });
}

function counted<Rank>({ part, countedMs, ranges }: Open<Rank>): CountedPart {
  const whole = part.toMs === part.fromMs ? Number(ranges.length > 0) : countedMs / part.durationMs;
  return { sourceId: part.sourceId, day: part.day, amount: part.value * whole, ranges, row: part.row };
}
