import type { Turns } from '../../../platform/turns.js';

/** A sample, or its part on one local day. `fromMs = toMs` for a reading without an interval. */
export interface Part<Rank> {
  sourceId: number;
  /** Rank of the source, equal for all parts of one source and day. */
  rank: Rank;
  day: number;
  fromMs: number;
  toMs: number;
  /** Value and length of the whole sample; the value is spread evenly. */
  value: number;
  durationMs: number;
  /** The caller's identifier of the part. */
  row?: number | undefined;
}

/** Counted share of a part: its value during the stretches in which no better source has a sample. */
export interface CountedPart {
  sourceId: number;
  day: number;
  amount: number;
  row?: number | undefined;
}

/** A stretch in which a source counts, and the total of its parts there. */
export interface CountedStretch {
  sourceId: number;
  day: number;
  fromMs: number;
  toMs: number;
  amount: number;
}

/** Ordered by start, then source. */
export interface Counted {
  /** One entry per part. */
  parts: CountedPart[];
  stretches: CountedStretch[];
}

/** Number of events between two checks of the clock. */
const EVENTS_AT_ONCE = 1_000;

/**
 * Counts each instant for the best source with a sample there. Duplicate samples of one source count twice, as they do
 * in the source's own sum. An interval is [from, to). A reading without an interval is covered by a better source's
 * interval around it or by a better source's simultaneous reading. The reading itself covers only its own instant.
 * Sweeps over starts and ends and compares sources instead of samples, because thousands of samples may overlap.
 * @param compare orders ranks; lower wins
 */
export async function countOnce<Rank>(
  parts: readonly Part<Rank>[],
  compare: (a: Rank, b: Rank) => number,
  turns: Turns,
): Promise<Counted> {
  const groups = groupsOf(parts, compare);
  const order: Open[] = parts
    .map((part) => ({ part, group: groups.get(groupKey(part)) as Group, countedMs: 0, isCounted: false }))
    .sort(({ part: a }, { part: b }) => {
      return a.fromMs - b.fromMs || a.sourceId - b.sourceId || a.toMs - b.toMs || a.value - b.value;
    });
  const ends = order.filter(({ part }) => part.toMs > part.fromMs).sort((a, b) => a.part.toMs - b.part.toMs);
  const active = new GroupSet();
  let nowMs = Number.NEGATIVE_INFINITY;
  let next = 0;
  let ended = 0;
  for (let event = 1; ; event++) {
    const untilMs = Math.min(order[next]?.part.fromMs ?? Infinity, ends[ended]?.part.toMs ?? Infinity);
    if (untilMs === Infinity) break;
    for (const group of active.best()) group.count(nowMs, untilMs);
    nowMs = untilMs;
    for (let open = ends[ended]; open?.part.toMs === nowMs; open = ends[++ended]) {
      open.countedMs += open.group.countedMs;
      if (open.group.leave(open.part)) active.delete(open.group);
    }
    const readings: Open[] = [];
    for (let open = order[next]; open?.part.fromMs === nowMs; open = order[++next]) {
      if (open.part.toMs > nowMs) {
        open.countedMs = -open.group.countedMs;
        open.group.enter(open.part);
        active.add(open.group);
      } else readings.push(open);
    }
    if (readings.length > 0) countReadings(readings, active, nowMs);
    if (event % EVENTS_AT_ONCE === 0) await turns.yieldIfLong();
  }
  const stretches = [...groups.values()].flatMap((group) => group.stretches);
  return {
    parts: order.map(countedPart),
    stretches: stretches.sort((a, b) => a.fromMs - b.fromMs || a.sourceId - b.sourceId),
  };
}

interface Open {
  part: Part<unknown>;
  group: Group;
  countedMs: number;
  /** True if a reading without an interval counts. */
  isCounted: boolean;
}

function countReadings(readings: readonly Open[], active: GroupSet, atMs: number): void {
  const concurrent = new GroupSet();
  for (const { group } of readings) concurrent.add(group);
  for (const reading of readings) {
    reading.isCounted = active.isBest(reading.group) && concurrent.isBest(reading.group);
    if (reading.isCounted) reading.group.extend(atMs, atMs, reading.part.value);
  }
}

function countedPart({ part, countedMs, isCounted }: Open): CountedPart {
  const whole = part.toMs === part.fromMs ? Number(isCounted) : countedMs / part.durationMs;
  return { sourceId: part.sourceId, day: part.day, amount: part.value * whole, row: part.row };
}

function groupKey({ sourceId, day }: Part<unknown>): string {
  return `${sourceId} ${day}`;
}

/** Returns the groups of all parts, with their positions in the order of ranks. */
function groupsOf<Rank>(parts: readonly Part<Rank>[], compare: (a: Rank, b: Rank) => number): Map<string, Group> {
  const firsts = new Map(parts.map((part) => [groupKey(part), part]));
  const ordered = [...firsts].sort(([, a], [, b]) => compare(a.rank, b.rank) || a.sourceId - b.sourceId);
  return new Map(ordered.map(([key, part], place) => [key, new Group(part.sourceId, part.day, place)]));
}

/** Parts of one source and day. At each instant, either all open parts count or no open part counts. */
class Group {
  readonly stretches: CountedStretch[] = [];
  /** Counted time so far. */
  countedMs = 0;
  private openParts = 0;
  private amountPerMs = 0;

  constructor(
    readonly sourceId: number,
    private readonly day: number,
    readonly place: number,
  ) {}

  enter({ value, durationMs }: Part<unknown>): void {
    this.openParts++;
    this.amountPerMs += value / durationMs;
  }

  /** @returns true if no part is open after the call */
  leave({ value, durationMs }: Part<unknown>): boolean {
    this.openParts--;
    // Resets the amount if no part is open, because float sums do not always return to zero.
    this.amountPerMs = this.openParts === 0 ? 0 : this.amountPerMs - value / durationMs;
    return this.openParts === 0;
  }

  count(fromMs: number, toMs: number): void {
    this.countedMs += toMs - fromMs;
    this.extend(fromMs, toMs, this.amountPerMs * (toMs - fromMs));
  }

  extend(fromMs: number, toMs: number, amount: number): void {
    const last = this.stretches.at(-1);
    if (last?.toMs === fromMs) {
      last.toMs = toMs;
      last.amount += amount;
    } else this.stretches.push({ sourceId: this.sourceId, day: this.day, fromMs, toMs, amount });
  }
}

/** Groups in the order of their positions. */
class GroupSet {
  private readonly ordered: Group[] = [];

  add(group: Group): void {
    const at = this.positionOf(group);
    if (this.ordered[at] !== group) this.ordered.splice(at, 0, group);
  }

  delete(group: Group): void {
    this.ordered.splice(this.positionOf(group), 1);
  }

  /** Returns the groups of the best source that precede all other sources. */
  best(): Group[] {
    return this.ordered.slice(0, this.firstOfOthers(this.ordered[0]?.sourceId));
  }

  /** True if no group of another source precedes this group. */
  isBest(group: Group): boolean {
    const other = this.ordered[this.firstOfOthers(group.sourceId)];
    return other === undefined || group.place < other.place;
  }

  /**
   * Returns the position of the first group of another source. Searches linearly, because a source has groups only for
   * the few days around an instant.
   */
  private firstOfOthers(sourceId: number | undefined): number {
    let at = 0;
    while (at < this.ordered.length && this.ordered[at]?.sourceId === sourceId) at++;
    return at;
  }

  private positionOf({ place }: Group): number {
    let [low, high] = [0, this.ordered.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ordered[middle] as Group).place < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
