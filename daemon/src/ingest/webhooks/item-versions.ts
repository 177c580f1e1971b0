import type { HealthRecord } from '@healthd/model';
import type { DeliveredRecords, TimeRange } from '@healthd/providers';
import { groupedBy } from '../../platform/grouped-by.js';

/** A stored item, with the fields that later items are compared by. */
export interface KnownItem {
  key: string;
  version: number;
  /** Undefined if items of this type may overlap in time. */
  exclusive?: { rank: number; span: TimeRange };
  /** True if another item replaced this item. Stored, so that the item stays replaced when it is redelivered. */
  isReplaced?: boolean;
}

/** A current item of another data type. */
export interface ItemOfOtherType {
  dataType: string;
  rank: number;
  span: TimeRange;
}

interface Candidate {
  key: string | undefined;
  version: number | undefined;
  exclusive: KnownItem['exclusive'];
  /** True if the item starts at the same time as an item of the data type that it follows. */
  isFollowing: boolean;
  /** Undefined for a stored item. */
  item: DeliveredRecords | undefined;
  /** Spans of the other versions of this item. */
  others: TimeRange[];
  /** Position in the order of arrival. */
  order: number;
}

/** The arriving items that win, and the known items that they replaced. */
export interface ChosenItems {
  /** Winning items in order of arrival. Each contains deletions for the items that it replaced. */
  items: DeliveredRecords[];
  replacedKeys: string[];
  /** Replaced versions to record, for types that follow another type. */
  replaced: { key: string; version: number }[];
}

/**
 * Chooses between versions of an item. Among items with the same key, the higher version wins. Among items that exclude
 * each other in time, the higher rank wins. Of equal items, the later item wins. Some types follow another type. Among
 * their items, an item that starts together with an item of the followed type wins, and a replaced item stays replaced.
 * Yields between items, because a delivery may contain very many.
 * @param otherTypeItems current items of other types that the arriving items refer to
 */
export function* chooseItems(
  known: readonly KnownItem[],
  arriving: readonly DeliveredRecords[],
  otherTypeItems: readonly ItemOfOtherType[] = [],
): Generator<void, ChosenItems> {
  const follows = arriving.find(({ exclusive }) => exclusive?.follows)?.exclusive?.follows;
  const leaders = otherTypeItems.filter(
    ({ dataType, rank }) => follows && dataType === follows.dataType && rank >= follows.rank,
  );
  const leaderStarts = new Set(leaders.map(({ span }) => span.startMs));
  const isFollowing = (span: TimeRange) => leaderStarts.has(span.startMs);
  const replaced = new Map(known.flatMap(({ key, version, isReplaced }) => (isReplaced ? [[key, version]] : [])));
  const standing = new StandingItems();
  let order = 0;
  for (const { key, version, exclusive, isReplaced } of known) {
    if (isReplaced) continue;
    const follows = exclusive !== undefined && isFollowing(exclusive.span);
    standing.add({ key, version, exclusive, isFollowing: follows, item: undefined, others: [], order: order++ });
  }
  for (const item of arriving) {
    yield;
    const { key, version, span } = item;
    const exclusive = item.exclusive && { rank: item.exclusive.rank, span };
    const candidate: Candidate = {
      key,
      version,
      exclusive,
      isFollowing: isFollowing(span),
      item,
      others: [],
      order: order++,
    };
    const rivals = standing.versionsOf(candidate);
    const wasReplaced = key !== undefined && (replaced.get(key) ?? -1) >= (version ?? 0);
    const newer = rivals.find((other) => isNewer(other, candidate, wasReplaced));
    if (newer) {
      newer.others.push(span);
      continue;
    }
    candidate.version ??= rivals.find((other) => other.key === key)?.version;
    candidate.others = othersOf(rivals);
    for (const rival of rivals) {
      if (follows && rival.key !== undefined) replaced.set(rival.key, rival.version ?? 0);
      standing.remove(rival);
    }
    standing.add(candidate);
  }
  const all = standing.inOrder();
  const existingKeys = new Set(all.map(({ key }) => key));
  const nights = sortedByStart(all.flatMap(({ exclusive }) => exclusive ?? []));
  const otherTypeItemsByType = new Map(
    [...groupedBy(otherTypeItems, ({ dataType }) => dataType)].map(([type, of]) => [type, sortedByStart(of)]),
  );
  const items: DeliveredRecords[] = [];
  for (const one of all) {
    yield;
    if (one.item) items.push(withReplacements(one, one.item, nights, otherTypeItemsByType));
  }
  return {
    items,
    replacedKeys: known.map(({ key }) => key).filter((key) => !existingKeys.has(key) && !replaced.has(key)),
    replaced: [...replaced].flatMap(([key, version]) => (existingKeys.has(key) ? [] : [{ key, version }])),
  };
}

/**
 * Returns the rivals' spans. Extends the longest list instead of copying it, so that many versions of one item cost n
 * log n.
 */
function othersOf(rivals: readonly Candidate[]): TimeRange[] {
  const longest = rivals.reduce<Candidate | undefined>(
    (most, one) => (most && most.others.length >= one.others.length ? most : one),
    undefined,
  );
  const others = longest?.others ?? [];
  for (const rival of rivals) {
    if (rival.exclusive) others.push(rival.exclusive.span);
    if (rival !== longest) for (const span of rival.others) others.push(span);
  }
  return others;
}

/** Current items, indexed by key and time. */
class StandingItems {
  readonly #all = new Set<Candidate>();
  readonly #byKey = new Map<string, Set<Candidate>>();
  /** Items that exclude other items in time, by start. They never overlap. */
  readonly #exclusive: { span: TimeRange; one: Candidate }[] = [];

  add(one: Candidate): void {
    this.#all.add(one);
    if (one.key !== undefined) {
      const same = this.#byKey.get(one.key);
      if (same) same.add(one);
      else this.#byKey.set(one.key, new Set([one]));
    }
    if (!one.exclusive) return;
    const { span } = one.exclusive;
    this.#exclusive.splice(firstFrom(this.#exclusive, span.startMs), 0, { span, one });
  }

  remove(one: Candidate): void {
    this.#all.delete(one);
    if (one.key !== undefined) this.#byKey.get(one.key)?.delete(one);
    if (!one.exclusive) return;
    let at = firstFrom(this.#exclusive, one.exclusive.span.startMs);
    while (this.#exclusive[at]?.one !== one) at += 1;
    this.#exclusive.splice(at, 1);
  }

  /** Returns the items with the candidate's key and the items that overlap it, in order of arrival. */
  versionsOf({ key, exclusive }: Candidate): Candidate[] {
    const found = new Set(key === undefined ? [] : this.#byKey.get(key));
    if (exclusive) for (const { one } of overlapping(this.#exclusive, exclusive.span)) found.add(one);
    return [...found].sort((a, b) => a.order - b.order);
  }

  inOrder(): Candidate[] {
    return [...this.#all];
  }
}

function isNewer(standing: Candidate, arriving: Candidate, wasReplaced: boolean): boolean {
  if (standing.key === arriving.key || !standing.exclusive || !arriving.exclusive) {
    // Never treats the standing item as newer if a version is missing, because the items' order is then unknown.
    return standing.version !== undefined && arriving.version !== undefined && standing.version > arriving.version;
  }
  const { exclusive, isFollowing } = standing;
  if (exclusive.rank !== arriving.exclusive.rank) return exclusive.rank > arriving.exclusive.rank;
  return isFollowing === arriving.isFollowing ? wasReplaced : isFollowing;
}

function withReplacements(
  { others, version }: Candidate,
  item: DeliveredRecords,
  nights: readonly { span: TimeRange }[],
  otherTypeItemsByType: ReadonlyMap<string, readonly ItemOfOtherType[]>,
): DeliveredRecords {
  const { exclusive, span } = item;
  if (!exclusive) return version === undefined ? item : { ...item, version };
  const windows = unionOf(others);
  const removed = exclusive.replaces.flatMap((part): HealthRecord[] => {
    if (part.where === 'everywhere') return unionOf([span, ...others]).map((window) => ({ ...part.of, ...window }));
    const otherTypeItems = otherTypeItemsByType.get(part.dataType) ?? [];
    return windows
      .flatMap((window) => {
        const elsewhere = overlapping(otherTypeItems, window).filter((one) => !overlap(one.span, span));
        return outside(window, [...overlapping(nights, window), ...elsewhere]);
      })
      .map((window) => ({ ...part.of, ...window }));
  });
  return { ...item, records: [...removed, ...item.records] };
}

/** Returns the union of the spans. Most versions of one item share their time. */
function unionOf(spans: readonly TimeRange[]): TimeRange[] {
  const union: TimeRange[] = [];
  for (const span of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = union.at(-1);
    if (last && span.startMs < last.endMs) last.endMs = Math.max(last.endMs, span.endMs);
    else union.push({ ...span });
  }
  return union;
}

function sortedByStart<Item extends { span: TimeRange }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => a.span.startMs - b.span.startMs);
}

/** Returns the items that overlap a span. @param sorted items ordered by start, without overlaps */
function overlapping<Item extends { span: TimeRange }>(sorted: readonly Item[], span: TimeRange): Item[] {
  let at = firstFrom(sorted, span.startMs);
  // Only the last item that starts earlier can reach into the span; an item without a length may be in between.
  while (at > 0 && (isEmpty(sorted[at - 1]) || overlap((sorted[at - 1] as Item).span, span))) at -= 1;
  const found: Item[] = [];
  for (let item = sorted[at]; item && item.span.startMs < span.endMs; item = sorted[++at])
    if (overlap(item.span, span)) found.push(item);
  return found;
}

function isEmpty(item: { span: TimeRange } | undefined): boolean {
  return item !== undefined && item.span.startMs >= item.span.endMs;
}

/** Returns the index of the first item that starts at or after an instant. */
function firstFrom(sorted: readonly { span: TimeRange }[], fromMs: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as { span: TimeRange }).span.startMs < fromMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

function overlap(a: TimeRange, b: TimeRange): boolean {
  return a.startMs < b.endMs && b.startMs < a.endMs;
}

/** Returns the parts of `range` that `covered` does not cover. */
function outside(range: TimeRange, covered: readonly { span: TimeRange }[]): TimeRange[] {
  return covered.reduce<TimeRange[]>(
    (parts, { span }) =>
      parts.flatMap((part) =>
        [
          { startMs: part.startMs, endMs: Math.min(part.endMs, span.startMs) },
          { startMs: Math.max(part.startMs, span.endMs), endMs: part.endMs },
        ].filter((left) => left.startMs < left.endMs),
      ),
    [range],
  );
}
