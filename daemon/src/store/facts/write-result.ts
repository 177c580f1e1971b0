import type { ItemCounts, Rejected } from '@healthd/model';
import type { WriteCounts } from './item-counts.js';
import type { ChangedStage } from './sleep/source-span.js';

/** Changes of one write. */
export interface WriteResult {
  /**
   * Outcomes of the batch's items: samples, stages, sessions, workouts, cycles and scores. Excludes derived items, such as
   * assembled nights.
   */
  items: ItemCounts;
  samples: WriteCounts;
  sleepStages: WriteCounts;
  /** Vendors' sessions and sessions assembled from stages. */
  sleepSessions: WriteCounts;
  workouts: WriteCounts;
  menstrualCycles: WriteCounts;
  healthScores: WriteCounts;
  /** Outcome of deletions that a phone reported: deleted items, and entries without a stored match. */
  deletions: { deleted: number; notFound: number };
  /** Rows that the batch's deletions and replacements removed. */
  deleted: { samples: number; sessions: number; healthScores: number };
  /** First and last local date (`YYYY-MM-DD`) with changed summaries; undefined if no summary changed. */
  dates?: { from: string; to: string };
  sleepSessionIds: ChangedIds;
  workoutIds: ChangedIds;
  changedStages: ChangedStage[];
  displacedSessions: DisplacedSession[];
  /** Invalid items. The other items were stored. */
  rejected: Rejected[];
}

/** Former span of a workout or night with a vendor's id that a write moved or deleted. */
export interface DisplacedSession {
  externalId: string;
  startMs: number;
  endMs: number;
  /** True if the session was deleted because a replaced window lacks it; false if the session moved to another time. */
  isGone: boolean;
}

export interface ChangedIds {
  inserted: string[];
  updated: string[];
}
