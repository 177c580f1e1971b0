import { MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { Range } from '../../../components/chart/plot.js';

/** Offered lengths in days. */
export const SPANS = [1, 7, 30, 90] as const;
const DEFAULT_SPAN = 7;
/** Minimum length of a range. */
const SHORTEST_MS = MS_PER_MINUTE;
const LONGEST_MS = 400 * MS_PER_DAY;

/** View of a series in the URL. */
export interface SeriesView {
  type: string | undefined;
  range: Range;
  /** Selected length until now; undefined for a custom range. */
  span: (typeof SPANS)[number] | undefined;
}

/** Reads the view from the URL: `from` and `to` as instants, otherwise the last `days`. */
export function seriesView(search: URLSearchParams, nowMs: number): SeriesView {
  const type = search.get('type') ?? undefined;
  const [from, to] = [search.get('from'), search.get('to')].map((text) => Date.parse(text ?? ''));
  if (from !== undefined && to !== undefined && from < to) return { type, range: { from, to }, span: undefined };
  const span = SPANS.find((days) => String(days) === search.get('days')) ?? DEFAULT_SPAN;
  return { type, range: { from: nowMs - span * MS_PER_DAY, to: nowMs }, span };
}

/** Returns the URL query of a view. Undefined values are omitted. */
export function seriesSearch(view: { type?: string; span?: number; range?: Range }): string {
  const search = new URLSearchParams();
  if (view.type) search.set('type', view.type);
  if (view.range) {
    const { from, to } = withinReason(view.range);
    search.set('from', instantOf(from));
    search.set('to', instantOf(to));
  } else if (view.span && view.span !== DEFAULT_SPAN) {
    search.set('days', String(view.span));
  }
  return `?${search}`;
}

/** Returns the range of the same length before (-1) or after (1). */
export function adjacentRange({ from, to }: Range, direction: -1 | 1): Range {
  const by = (to - from) * direction;
  return { from: from + by, to: to + by };
}

/** Returns a range of twice the length around the same center. */
export function widened({ from, to }: Range): Range {
  return { from: from - (to - from) / 2, to: to + (to - from) / 2 };
}

function withinReason({ from, to }: Range): Range {
  const middle = (from + to) / 2;
  const half = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, to - from)) / 2;
  return { from: middle - half, to: middle + half };
}

/** Formats an instant to the second for URLs and commands. */
export function instantOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Returns the URL's view. The current time stays fixed until the URL's query changes. */
export function useSeriesView(): SeriesView {
  const [search] = useSearchParams();
  const text = search.toString();
  return useMemo(() => {
    const now = Math.ceil(Date.now() / MS_PER_MINUTE) * MS_PER_MINUTE;
    return seriesView(new URLSearchParams(text), now);
  }, [text]);
}
