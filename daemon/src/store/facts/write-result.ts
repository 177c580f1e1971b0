import { countItems, type ItemCounts, type ItemOutcome, noItems, type Rejected } from '@healthd/model';
import type { ChangedStage } from './sleep/source-span.js';

/** What became of the items of one collection; items of one identity within a batch count once. */
export interface WriteCounts {
  inserted: number;
  updated: number;
  unchanged: number;
}

/** What one write changed. */
export interface WriteResult {
  /**
   * What became of the batch's items: samples, stages, sessions, workouts, cycles and scores. What the writer makes of
   * them, such as assembled nights, is none.
   */
  items: ItemCounts;
  samples: WriteCounts;
  sleepStages: WriteCounts;
  /** Vendor sessions and those assembled from stages. */
  sleepSessions: WriteCounts;
  workouts: WriteCounts;
  menstrualCycles: WriteCounts;
  healthScores: WriteCounts;
  /** Rows that the batch's deletions and replacements removed. */
  deleted: { samples: number; sessions: number; healthScores: number };
  /** First and last local date (`YYYY-MM-DD`) whose summaries may have changed; undefined when none has. */
  dates?: { from: string; to: string };
  sleepSessionIds: ChangedIds;
  workoutIds: ChangedIds;
  changedStages: ChangedStage[];
  displacedSessions: DisplacedSession[];
  /** Items that could not be stored; their neighbours were. */
  rejected: Rejected[];
}

/** Where a workout or night with a vendor's id was before a write moved or removed it. */
export interface DisplacedSession {
  externalId: string;
  startMs: number;
  endMs: number;
  /** Removed, because a replaced window lacks it; false: it is stored at another time now. */
  isGone: boolean;
}

export interface ChangedIds {
  inserted: string[];
  updated: string[];
}

/** Counts before anything was written. */
export function noCounts(): WriteCounts {
  return { inserted: 0, updated: 0, unchanged: 0 };
}

/** What became of the items of one collection of a batch, of which equal ones were stored once. */
export interface CollectionOutcome {
  /** Items that could be stored. */
  given: number;
  counts: WriteCounts;
  /** Items that could not be stored; their neighbours were. */
  rejected: readonly Rejected[];
}

/** The items of a batch, by what became of them. */
export function itemCountsOf(
  collections: readonly CollectionOutcome[],
  others: Partial<Record<ItemOutcome, number>>,
): ItemCounts {
  const items = noItems();
  for (const { given, counts, rejected } of collections) {
    const { inserted, updated, unchanged } = counts;
    countItems(items, 'inserted', inserted);
    countItems(items, 'updated', updated);
    countItems(items, 'unchanged', unchanged);
    countItems(items, 'duplicates', given - inserted - updated - unchanged);
    countItems(items, 'rejected', rejected.length);
  }
  for (const [outcome, count] of Object.entries(others)) countItems(items, outcome as ItemOutcome, count);
  return items;
}
