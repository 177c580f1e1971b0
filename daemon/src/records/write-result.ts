import type { Rejected } from '@healthd/model';

/** What became of the items of one collection; items of one identity within a batch count once. */
export interface WriteCounts {
  inserted: number;
  updated: number;
  unchanged: number;
}

/** What one write changed. */
export interface WriteResult {
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
    samples: noCounts(),
    sleepStages: noCounts(),
    sleepSessions: noCounts(),
    workouts: noCounts(),
    menstrualCycles: noCounts(),
    healthScores: noCounts(),
    deleted: { samples: 0, sessions: 0, healthScores: 0 },
    sleepSessionIds: { inserted: [], updated: [] },
    workoutIds: { inserted: [], updated: [] },
    rejected: [],
  };
}
