import { dayNumber, MS_PER_DAY } from '@healthd/model';
import type { DirtyDays } from '../facts/dirty-days.js';
import type { SourceSpan } from '../facts/sleep/source-span.js';
import { type AppSource, appOf } from '../facts/sources/app-source.js';
import type { ResolvedSources } from '../facts/sources/resolved-source.js';
import { openPairs, type SourceAlias } from '../facts/sources/source-aliases.js';
import type { StoredSource, StoredSources } from '../facts/sources/stored-source.js';

/** Days since 1970-01-01, inclusive. */
interface DaySpan {
  first: number;
  last: number;
}

/** Changes of a batch. */
export interface ArrivedItems {
  sources: ResolvedSources;
  /** Days with new, changed or deleted samples. */
  dirtyDays: DirtyDays;
  /** New or changed workouts and sleep stages. */
  changedSessions: readonly SourceSpan[];
  /** True if sessions were deleted. */
  removesSessions: boolean;
}

/** Changes of a batch that affect the comparison of apps. */
export interface ComparisonChange {
  /** True if the user's apps must be compared. */
  isRequested: boolean;
  /** New day spans of apps that need no comparison. */
  grown: readonly (DaySpan & { sourceId: number })[];
}

const NO_CHANGE: ComparisonChange = { isRequested: false, grown: [] };

/**
 * Decides whether to compare pairs of apps that may be the same app. Requests a comparison if a pair was never
 * compared, if a pair has a change within its common time, or if sessions were deleted. Other changes need no
 * comparison, so different apps are not compared again while only one of them has new data.
 */
export function comparisonAfter(
  { sources: stored, aliases }: { sources: StoredSources; aliases: readonly SourceAlias[] },
  { sources, dirtyDays, changedSessions, removesSessions }: ArrivedItems,
): ComparisonChange {
  const arriving = new Set([...sources.values()].map(({ sourceId }) => sourceId));
  const apps = [...stored.values()].flatMap((row) => storedApp(row) ?? []);
  if (!apps.some(({ sourceId }) => arriving.has(sourceId))) return NO_CHANGE;
  const pairs = openPairs(apps, aliases)
    .map(({ named, bundled }) => [named, bundled] as const)
    .filter((pair) => pair.some(({ sourceId }) => arriving.has(sourceId)));
  if (pairs.length === 0) return NO_CHANGE;

  const changed = changedDays(dirtyDays, changedSessions);
  const isOpen = (a: StoredApp, b: StoredApp) => {
    const own = changed.get(a.sourceId);
    return own !== undefined && doOverlap(own, joinedSpan(b.compared as DaySpan, changed.get(b.sourceId)));
  };
  const mayDiffer = pairs.some(
    ([named, bundled]) => !named.compared || !bundled.compared || isOpen(named, bundled) || isOpen(bundled, named),
  );
  if (mayDiffer || removesSessions) return { isRequested: true, grown: [] };
  const grown = [...new Set(pairs.flat())].flatMap(({ sourceId, compared }) => {
    const span = joinedSpan(compared as DaySpan, changed.get(sourceId));
    return span.first === compared?.first && span.last === compared.last ? [] : [{ ...span, sourceId }];
  });
  return { isRequested: false, grown };
}

/** An app with stored items. */
interface StoredApp extends AppSource {
  sourceId: number;
  /**
   * Days of the items that the app had at the last comparison or received since then; undefined if a comparison is
   * needed.
   */
  compared: DaySpan | undefined;
}

/** Returns the app of a source; undefined for other sources. */
function storedApp(row: StoredSource): StoredApp | undefined {
  const { provider, writer, device_model: deviceModel, device_id: deviceId } = row;
  const app = appOf({ provider, writer, deviceModel, deviceId });
  if (!app) return undefined;
  const [first, last] = [row.compared_from, row.compared_until].map((date) => date && dayNumber(date));
  const compared = typeof first === 'number' && typeof last === 'number' ? { first, last } : undefined;
  return { ...app, sourceId: row.source_id, compared };
}

/**
 * Returns the span of changed days of each source, extended by a day on each side because UTC and local dates differ.
 */
function changedDays(dirtyDays: DirtyDays, sessions: readonly SourceSpan[]): Map<number, DaySpan> {
  const spans = new Map<number, DaySpan>();
  const add = (sourceId: number, day: number) =>
    spans.set(sourceId, joinedSpan({ first: day - 1, last: day + 1 }, spans.get(sourceId)));
  for (const { sourceId, day } of dirtyDays.entries()) add(sourceId, day);
  for (const { sourceId, fromMs } of sessions) add(sourceId, Math.floor(fromMs / MS_PER_DAY));
  return spans;
}

/** Returns the span that covers both spans. */
function joinedSpan(a: DaySpan, b: DaySpan | undefined): DaySpan {
  return b ? { first: Math.min(a.first, b.first), last: Math.max(a.last, b.last) } : a;
}

/** True if two spans share a day. */
function doOverlap(a: DaySpan, b: DaySpan): boolean {
  return a.first <= b.last && b.first <= a.last;
}
