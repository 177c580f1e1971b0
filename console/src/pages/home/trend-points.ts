import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { formatCount } from '../../format.js';

/** How many a group had at an instant. */
export interface TimedCount {
  atMs: number;
  count: number;
}

/** Counts are known in steps of six hours: an older one says nothing about a day ago. */
const LONGEST_AGO_MS = 30 * MS_PER_HOUR;

/** Where the instants of counts are between the first (0) and the last one (1). @param counts oldest first */
export function timesAlong(counts: readonly TimedCount[]): number[] {
  const firstMs = counts[0]?.atMs ?? 0;
  const rangeMs = (counts.at(-1)?.atMs ?? 0) - firstMs;
  return counts.map(({ atMs }) => (rangeMs > 0 ? (atMs - firstMs) / rangeMs : 1));
}

/** How the last count, which is of now, differs from that of a day ago; empty where that is not known. */
export function changeInWords(counts: readonly TimedCount[]): string {
  const now = counts.at(-1);
  if (now === undefined) return '';
  const before = counts.findLast(({ atMs }) => atMs <= now.atMs - MS_PER_DAY);
  if (before === undefined || before.atMs < now.atMs - LONGEST_AGO_MS) return '';
  const change = now.count - before.count;
  if (change === 0) return 'unchanged since yesterday';
  return `${formatCount(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than a day ago`;
}
