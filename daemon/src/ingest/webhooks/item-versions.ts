import type { HealthRecord } from '@healthd/model';
import type { DeliveredRecords, TimeRange } from '@healthd/providers';

/** An item that was stored before, as far as later ones are compared with it. */
export interface KnownItem {
  key: string;
  version: number;
  /** Undefined where items of the kind do not exclude each other in time. */
  exclusive?: { rank: number; span: TimeRange };
  /** Another one took its place; it is known so that it stays replaced when it comes again. */
  isReplaced?: boolean;
}

/** An item of another kind that stands. */
export interface ItemBeside {
  dataType: string;
  rank: number;
  span: TimeRange;
}

interface Candidate {
  key: string | undefined;
  version: number | undefined;
  exclusive: KnownItem['exclusive'];
  /** Whether it begins with an item that those of its kind follow. */
  isFollowing: boolean;
  /** Undefined for what is stored already. */
  item: DeliveredRecords | undefined;
  /** Spans of other versions of it. */
  others: TimeRange[];
}

/** Which of the arriving items count, and which known ones they replaced. */
export interface ChosenItems {
  /** In the order of their arrival, each with what is to be removed of those that it replaced. */
  items: DeliveredRecords[];
  replacedKeys: string[];
  /** Versions that are known from now on as replaced, of kinds that follow another one. */
  replaced: { key: string; version: number }[];
}

/**
 * Decides between items that are versions of one: those of one key, where the higher version counts, and those that exclude
 * each other in time, where the higher rank does. Of equal ones the later counts, unless the kind follows another one.
 * @param beside what stands of other kinds that those of the arriving items name
 */
export function chooseItems(
  known: readonly KnownItem[],
  arriving: readonly DeliveredRecords[],
  beside: readonly ItemBeside[] = [],
): ChosenItems {
  const follows = arriving.find(({ exclusive }) => exclusive?.follows)?.exclusive?.follows;
  const leaders = beside.filter(
    ({ dataType, rank }) => follows && dataType === follows.dataType && rank >= follows.rank,
  );
  const isFollowing = (span: TimeRange) => leaders.some((leader) => leader.span.startMs === span.startMs);
  const replaced = new Map(known.flatMap(({ key, version, isReplaced }) => (isReplaced ? [[key, version]] : [])));
  let standing: Candidate[] = known
    .filter(({ isReplaced }) => !isReplaced)
    .map(({ key, version, exclusive }) => ({
      key,
      version,
      exclusive,
      isFollowing: exclusive !== undefined && isFollowing(exclusive.span),
      item: undefined,
      others: [],
    }));
  for (const item of arriving) {
    const { key, version, span } = item;
    const exclusive = item.exclusive && { rank: item.exclusive.rank, span };
    const candidate: Candidate = { key, version, exclusive, isFollowing: isFollowing(span), item, others: [] };
    const rivals = standing.filter((other) => areVersionsOfOne(candidate, other));
    const wasReplaced = key !== undefined && (replaced.get(key) ?? -1) >= (version ?? 0);
    const newer = rivals.find((other) => isNewer(other, candidate, wasReplaced));
    if (newer) {
      newer.others.push(span);
      continue;
    }
    candidate.version ??= rivals.find((other) => other.key === key)?.version;
    candidate.others = rivals.flatMap((rival) => [...(rival.exclusive ? [rival.exclusive.span] : []), ...rival.others]);
    for (const rival of rivals) if (follows && rival.key !== undefined) replaced.set(rival.key, rival.version ?? 0);
    standing = [...standing.filter((other) => !rivals.includes(other)), candidate];
  }
  const kept = new Set(standing.map(({ key }) => key));
  return {
    items: standing.flatMap((one) => (one.item ? [withReplacements(one, one.item, standing, beside)] : [])),
    replacedKeys: known.map(({ key }) => key).filter((key) => !kept.has(key) && !replaced.has(key)),
    replaced: [...replaced].flatMap(([key, version]) => (kept.has(key) ? [] : [{ key, version }])),
  };
}

function areVersionsOfOne(a: Candidate, b: Candidate): boolean {
  if (a.key !== undefined && a.key === b.key) return true;
  return a.exclusive !== undefined && b.exclusive !== undefined && overlap(a.exclusive.span, b.exclusive.span);
}

function isNewer(standing: Candidate, arriving: Candidate, wasReplaced: boolean): boolean {
  if (standing.key === arriving.key || !standing.exclusive || !arriving.exclusive) {
    // Of one that does not say its version it is not known whether it is older.
    return standing.version !== undefined && arriving.version !== undefined && standing.version > arriving.version;
  }
  const { exclusive, isFollowing } = standing;
  if (exclusive.rank !== arriving.exclusive.rank) return exclusive.rank > arriving.exclusive.rank;
  return isFollowing === arriving.isFollowing ? wasReplaced : isFollowing;
}

function withReplacements(
  { others, version }: Candidate,
  item: DeliveredRecords,
  standing: readonly Candidate[],
  beside: readonly ItemBeside[],
): DeliveredRecords {
  const { exclusive, span } = item;
  if (!exclusive) return version === undefined ? item : { ...item, version };
  const nights = standing.flatMap((one) => one.exclusive?.span ?? []);
  const removed = exclusive.replaces.flatMap((part): HealthRecord[] => {
    if (part.where === 'everywhere') return [span, ...others].map((window) => ({ ...part.of, ...window }));
    const elsewhere = beside.filter((one) => one.dataType === part.dataType && !overlap(one.span, span));
    const covered = [...nights, ...elsewhere.map((one) => one.span)];
    return others.flatMap((other) => outside(other, covered)).map((window) => ({ ...part.of, ...window }));
  });
  return { ...item, records: [...removed, ...item.records] };
}

function overlap(a: TimeRange, b: TimeRange): boolean {
  return a.startMs < b.endMs && b.startMs < a.endMs;
}

/** What of a range lies in none of some others. */
function outside(range: TimeRange, covered: readonly TimeRange[]): TimeRange[] {
  return covered.reduce<TimeRange[]>(
    (parts, { startMs, endMs }) =>
      parts.flatMap((part) =>
        [
          { startMs: part.startMs, endMs: Math.min(part.endMs, startMs) },
          { startMs: Math.max(part.startMs, endMs), endMs: part.endMs },
        ].filter((left) => left.startMs < left.endMs),
      ),
    [range],
  );
}
