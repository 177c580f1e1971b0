import { dayNumber, fromDayNumber } from '@healthd/model';
import type { DirtyDays } from '../../facts/dirty-days.js';
import { requestJoining } from '../../facts/pending-repairs.js';
import type { SourceSpan } from '../../facts/sleep/source-span.js';
import type { ResolvedSources } from '../../facts/sources/resolved-source.js';
import { type AppSource, appOf } from '../../facts/sources/app-source.js';
import { openPairs } from '../../facts/sources/source-aliases.js';
import type { StoredSource } from '../../facts/sources/stored-source.js';
import type { BatchContext } from '../load-context.js';
import { changedDays, type DaySpan, doOverlap, joinedSpan } from './day-span.js';

/** What a batch brought. */
export interface ArrivedItems {
  sources: ResolvedSources;
  /** Days of samples that are new, changed or gone. */
  dirtyDays: DirtyDays;
  /** Workouts and stages of sleep that are new or changed. */
  changedSessions: readonly SourceSpan[];
  /** Whether it removed sessions. */
  removesSessions: boolean;
}

/**
 * Has two apps of the user compared where an app of the batch may turn out to be the other one: where they never were, or
 * where the batch changes an item in the time of the other one. Only items in the time of both matter, so a pair that
 * is none is not compared again while one of the two goes on alone.
 */
export async function requestComparison(
  { client, userKey, sources: stored, aliases }: BatchContext,
  { sources, dirtyDays, changedSessions, removesSessions }: ArrivedItems,
): Promise<void> {
  const arriving = new Set([...sources.values()].map(({ sourceId }) => sourceId));
  const apps = [...stored.values()].flatMap((row) => storedApp(row) ?? []);
  if (!apps.some(({ sourceId }) => arriving.has(sourceId))) return;
  const pairs = openPairs(apps, aliases)
    .map(({ named, bundled }) => [named, bundled] as const)
    .filter((pair) => pair.some(({ sourceId }) => arriving.has(sourceId)));
  if (pairs.length === 0) return;

  const changed = changedDays(dirtyDays, changedSessions);
  const isOpen = (a: StoredApp, b: StoredApp) => {
    const own = changed.get(a.sourceId);
    return own !== undefined && doOverlap(own, joinedSpan(b.compared as DaySpan, changed.get(b.sourceId)));
  };
  const mayDiffer = pairs.some(
    ([named, bundled]) => !named.compared || !bundled.compared || isOpen(named, bundled) || isOpen(bundled, named),
  );
  if (mayDiffer || removesSessions) {
    await requestJoining(client, userKey);
    return;
  }
  for (const { sourceId, compared } of new Set(pairs.flat())) {
    const grown = joinedSpan(compared as DaySpan, changed.get(sourceId));
    if (grown.first === compared?.first && grown.last === compared.last) continue;
    await client.query(
      // Not what this transaction knows of it: an earlier batch may have let it grow, or a deletion have ended it.
      `update data_source set compared_from = least(compared_from, $3::date), compared_until = greatest(compared_until, $4::date)
        where user_key = $1 and source_id = $2 and compared_from is not null`,
      [userKey, sourceId, fromDayNumber(grown.first), fromDayNumber(grown.last)],
    );
  }
}

/** An app of which items are stored. */
interface StoredApp extends AppSource {
  sourceId: number;
  /** Of its items when it was last compared, and of what arrived since; undefined: it never was. */
  compared: DaySpan | undefined;
}

/** The app that a source is; undefined for any other source. */
function storedApp(row: StoredSource): StoredApp | undefined {
  const { provider, writer, device_model: deviceModel, device_id: deviceId } = row;
  const app = appOf({ provider, writer, deviceModel, deviceId });
  if (!app) return undefined;
  const [first, last] = [row.compared_from, row.compared_until].map((date) => date && dayNumber(date));
  const compared = typeof first === 'number' && typeof last === 'number' ? { first, last } : undefined;
  return { ...app, sourceId: row.source_id, compared };
}
