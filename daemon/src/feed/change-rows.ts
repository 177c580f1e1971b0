import { dayNumber, type SeriesType, seriesTypeById } from '@healthd/model';
import {
  CHANGE,
  type Change,
  type ChangedSummary,
  DELETED,
  dayRanges,
  type ItemTable,
  type UserChanges,
} from '../store/facts/index.js';

/** Kinds of feed entries about a user's health data. */
type DataKind = 'samples' | 'sleep' | 'workout' | 'menstrual_cycle' | 'health_score' | 'summary';

/** A feed entry about a user's health data. Days are local dates, both ends included. */
export interface DataChange {
  kind: DataKind;
  body: {
    action: 'created' | 'corrected' | 'redated' | 'archived' | 'expired' | 'deleted' | 'changed';
    /** Reason for a deletion. */
    cause?: 'person' | 'vendor' | 'replaced' | 'retention' | 'terms';
    /** Series type of samples. */
    type?: string;
    summary?: ChangedSummary;
    days: { from: string; to: string }[];
    /** IDs of sessions and scores. */
    ids?: string[];
    origin: string;
    run_id?: string | undefined;
  };
}

/** Maximum number of IDs per entry. */
const IDS_AT_ONCE = 500;

const KIND_OF: Readonly<Record<ItemTable, DataKind>> = {
  sleep_session: 'sleep',
  workout: 'workout',
  menstrual_cycle: 'menstrual_cycle',
  health_score: 'health_score',
};

/** Reported action and cause of each change, in the order in which a receiver applies the changes: deletions first. */
const TOLD: readonly [change: Change, told: Pick<DataChange['body'], 'action' | 'cause'>][] = [
  [CHANGE.deletedByPerson, { action: 'deleted', cause: 'person' }],
  [CHANGE.deletedByVendor, { action: 'deleted', cause: 'vendor' }],
  [CHANGE.deletedByTerms, { action: 'deleted', cause: 'terms' }],
  [CHANGE.replaced, { action: 'deleted', cause: 'replaced' }],
  [CHANGE.expired, { action: 'expired', cause: 'retention' }],
  [CHANGE.archived, { action: 'archived' }],
  [CHANGE.created, { action: 'created' }],
  [CHANGE.corrected, { action: 'corrected' }],
  [CHANGE.redated, { action: 'redated' }],
];

/**
 * Returns the entries of one user's changes in a transaction. Groups samples by series type and never lists their IDs.
 * Reports an item that was created and changed in the transaction as created.
 */
export function dataChangesOf(changes: UserChanges): DataChange[] {
  const { origin, runId } = changes;
  const arrival = { origin, ...(runId !== undefined && { run_id: runId }) };
  const entries: DataChange[] = [];
  for (const [typeId, days] of changes.samples) {
    const type = (seriesTypeById(typeId) as SeriesType).code;
    for (const [bit, told] of TOLD) {
      const own = [...days].flatMap(([day, change]) => ((change & bit) !== 0 ? [day] : []));
      if (own.length === 0) continue;
      entries.push({ kind: 'samples', body: { ...told, type, days: dayRanges(own), ...arrival } });
    }
    // Deletions by provider or age delete figures and compute no new figures, so no other change reports the summaries.
    const deleted = [...days].flatMap(([day, change]) => ((change & DELETED) !== 0 ? [day] : []));
    for (const summary of ['activity', 'body'] as const) changes.addSummary(summary, deleted);
    // Samples of an evening belong to the next day's night.
    const nights = deleted.flatMap((day) => [day, day + 1]);
    for (const summary of ['sleep', 'recovery'] as const) changes.addSummary(summary, nights);
  }
  for (const [table, items] of changes.items) {
    const told = [...items].map(([id, { change, dates }]) => ({ id, change: decisive(change), dates }));
    for (const [bit, what] of TOLD) {
      const own = told.filter(({ change }) => change === bit);
      for (let from = 0; from < own.length; from += IDS_AT_ONCE) {
        const some = own.slice(from, from + IDS_AT_ONCE);
        const days = some.flatMap(({ dates }) => [...dates].map((date) => dayNumber(date) as number));
        // Recovery summaries contain the vendors' scores.
        if (table === 'health_score') changes.addSummary('recovery', days);
        // Activity summaries contain the elevation of workouts and leave out the time asleep.
        if (table === 'workout') changes.addSummary('activity', days);
        if (table === 'sleep_session') {
          const slept = days.flatMap((day) => [day - 1, day]);
          changes.addSummary('activity', slept);
          for (const summary of ['sleep', 'recovery'] as const) changes.addSummary(summary, days);
        }
        const ids = some.map(({ id }) => id);
        entries.push({ kind: KIND_OF[table], body: { ...what, days: dayRanges(days), ids, ...arrival } });
      }
    }
  }
  for (const [summary, days] of changes.summaries) {
    if (days.size === 0) continue;
    entries.push({ kind: 'summary', body: { action: 'changed', summary, days: dayRanges(days), ...arrival } });
  }
  return entries;
}

/**
 * Returns the one change of an item that a receiver needs: its deletion, else its creation, else its correction, else
 * the change itself.
 */
function decisive(change: Change): Change {
  const deleted = change & DELETED;
  if (deleted !== 0) return TOLD.find(([bit]) => (deleted & bit) !== 0)?.[0] as Change;
  if ((change & CHANGE.created) !== 0) return CHANGE.created;
  return (change & CHANGE.corrected) !== 0 ? CHANGE.corrected : change;
}
