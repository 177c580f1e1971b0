import type { ItemCounts, Rejected } from '@healthd/model';
import type { WriteCounts } from './item-counts.js';
import type { ChangedStage } from './sleep/source-span.js';

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
  /** What the deletions that a phone reported came to: items that went, and entries that meant nothing stored. */
  deletions: { deleted: number; notFound: number };
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
