import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { formatCount } from '../../format.js';

/** Size of a group at an instant. */
export interface TimedCount {
  atMs: number;
  count: number;
}

/**
 * Maximum age of a count that still represents yesterday. The service returns one count for every six hours.
 */
const LONGEST_AGO_MS = 30 * MS_PER_HOUR;

/**
 * Returns the relative time of each count, from 0 (first) to 1 (last).
 * @param counts oldest first
 */
export function timesAlong(counts: readonly TimedCount[]): number[] {
  const firstMs = counts[0]?.atMs ?? 0;
  const rangeMs = (counts.at(-1)?.atMs ?? 0) - firstMs;
  return counts.map(({ atMs }) => (rangeMs > 0 ? (atMs - firstMs) / rangeMs : 1));
}

/** Describes the change since yesterday; empty if unknown. */
export function changeInWords(counts: readonly TimedCount[]): string {
  const now = counts.at(-1);
  if (now === undefined) return '';
  const before = counts.findLast(({ atMs }) => atMs <= now.atMs - MS_PER_DAY);
  if (before === undefined || before.atMs < now.atMs - LONGEST_AGO_MS) return '';
  const change = now.count - before.count;
  if (change === 0) return 'unchanged since yesterday';
  return `${formatCount(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than a day ago`;
}
