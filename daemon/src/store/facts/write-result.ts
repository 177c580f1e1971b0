import { countItems, type ItemCounts, noItems, type Rejected } from '@healthd/model';
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
  /** Items that could not be stored; their neighbours were. */
  rejected: Rejected[];
}

export interface ChangedIds {
  inserted: string[];
  updated: string[];
}

/** Counts before anything was written. */
export function noCounts(): WriteCounts {
  return { inserted: 0, updated: 0, unchanged: 0 };
}

export function emptyResult(): WriteResult {
  return {
    items: noItems(),
    samples: noCounts(),
    sleepStages: noCounts(),
    sleepSessions: noCounts(),
    workouts: noCounts(),
    menstrualCycles: noCounts(),
    healthScores: noCounts(),
    deleted: { samples: 0, sessions: 0, healthScores: 0 },
    sleepSessionIds: { inserted: [], updated: [] },
    workoutIds: { inserted: [], updated: [] },
    changedStages: [],
    rejected: [],
  };
}

/** Notes what became of `given` items, of which equal ones were stored once. */
export function countStored(result: WriteResult, given: number, { inserted, updated, unchanged }: WriteCounts): void {
  countItems(result.items, 'inserted', inserted);
  countItems(result.items, 'updated', updated);
  countItems(result.items, 'unchanged', unchanged);
  countItems(result.items, 'duplicates', given - inserted - updated - unchanged);
}

/** Notes an item that could not be stored. */
export function rejectItem(result: WriteResult, item: Rejected): void {
  result.rejected.push(item);
  countItems(result.items, 'rejected', 1);
}
