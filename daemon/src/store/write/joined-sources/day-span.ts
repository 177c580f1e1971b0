import { MS_PER_DAY } from '@healthd/model';
import type { DirtyDays } from '../../facts/dirty-days.js';
import type { SourceSpan } from '../../facts/sleep/source-span.js';

/** Days since 1970-01-01, inclusive. */
export interface DaySpan {
  first: number;
  last: number;
}

/** Spans by source, extended by a day on each side because UTC and local dates differ. */
export function changedDays(dirtyDays: DirtyDays, sessions: readonly SourceSpan[]): Map<number, DaySpan> {
  const spans = new Map<number, DaySpan>();
  const add = (sourceId: number, day: number) =>
    spans.set(sourceId, joinedSpan({ first: day - 1, last: day + 1 }, spans.get(sourceId)));
  for (const { sourceId, day } of dirtyDays.entries()) add(sourceId, day);
  for (const { sourceId, fromMs } of sessions) add(sourceId, Math.floor(fromMs / MS_PER_DAY));
  return spans;
}

/** Returns the span that covers both. */
export function joinedSpan(a: DaySpan, b: DaySpan | undefined): DaySpan {
  return b ? { first: Math.min(a.first, b.first), last: Math.max(a.last, b.last) } : a;
}

/** True if two spans share a day. */
export function doOverlap(a: DaySpan, b: DaySpan): boolean {
  return a.first <= b.last && b.first <= a.last;
}
