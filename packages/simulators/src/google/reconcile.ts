import { pointValue, type StoredPoint, withValue } from './stored-points.js';

/**
 * Merges the overlapping records of all sources by source rank. A source's intervals keep only the parts that better
 * sources do not cover, with a proportional value. Samples are unique by instant and daily values by date. A session
 * that overlaps a better source's session is dropped.
 * @returns points, oldest first
 */
export function reconcile(points: readonly StoredPoint[]): StoredPoint[] {
  const sources = bySource(points);
  if (sources.length === 1) return sources[0]!;
  const record = points[0]?.type.record;
  if (record === 'interval') return mergeIntervals(sources);
  if (record === 'session') return mergeSessions(sources);
  const retained = new Map<number, StoredPoint>();
  for (const source of sources) {
    for (const point of source) if (!retained.has(point.startMs)) retained.set(point.startMs, point);
  }
  return [...retained.values()].sort(oldestFirst);
}

/** Sorts by start, then by id, so that the order is deterministic. */
export function oldestFirst(a: Pick<StoredPoint, 'startMs' | 'id'>, b: Pick<StoredPoint, 'startMs' | 'id'>): number {
  return a.startMs - b.startMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function bySource(points: readonly StoredPoint[]): StoredPoint[][] {
  const groups = new Map<number, StoredPoint[]>();
  for (const point of points) {
    const group = groups.get(point.source.rank);
    if (group) group.push(point);
    else groups.set(point.source.rank, [point]);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group.sort(oldestFirst));
}

interface Span {
  startMs: number;
  endMs: number;
}

function mergeIntervals(sources: StoredPoint[][]): StoredPoint[] {
  const retained: StoredPoint[] = [];
  let covered: Span[] = [];
  for (const source of sources) {
    let first = 0;
    for (const point of source) {
      while (first < covered.length && covered[first]!.endMs <= point.startMs) first++;
      retained.push(...uncoveredParts(point, covered, first));
    }
    covered = union([...covered, ...source]);
  }
  return retained.sort(oldestFirst);
}

function uncoveredParts(point: StoredPoint, covered: readonly Span[], first: number): StoredPoint[] {
  const parts: Span[] = [];
  let atMs = point.startMs;
  for (let n = first; n < covered.length && covered[n]!.startMs < point.endMs; n++) {
    if (covered[n]!.startMs > atMs) parts.push({ startMs: atMs, endMs: covered[n]!.startMs });
    atMs = Math.max(atMs, covered[n]!.endMs);
  }
  if (atMs === point.startMs) return [point];
  if (atMs < point.endMs) parts.push({ startMs: atMs, endMs: point.endMs });
  return parts.map((part, n) => partOf(point, part, n));
}

function partOf(point: StoredPoint, { startMs, endMs }: Span, n: number): StoredPoint {
  const share = (endMs - startMs) / (point.endMs - point.startMs);
  const value = pointValue(point);
  const scaled = value === undefined ? undefined : point.type.integer ? Math.round(value * share) : value * share;
  const members = scaled === undefined ? point.members : withValue(point, scaled);
  // Keeps the point's offsets for each part. They can be wrong for a part only if the clocks changed during the point.
  return { ...point, id: `${point.id}/${n}`, startMs, endMs, members };
}

function union(spans: Span[]): Span[] {
  const merged: Span[] = [];
  for (const { startMs, endMs } of spans.sort((a, b) => a.startMs - b.startMs)) {
    const last = merged.at(-1);
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else merged.push({ startMs, endMs });
  }
  return merged;
}

function mergeSessions(sources: StoredPoint[][]): StoredPoint[] {
  const retained: StoredPoint[] = [];
  for (const source of sources) {
    const better = [...retained];
    retained.push(...source.filter((one) => !better.some((two) => one.startMs < two.endMs && two.startMs < one.endMs)));
  }
  return retained.sort(oldestFirst);
}
