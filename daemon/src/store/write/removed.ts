import { DirtyDays } from '../facts/dirty-days.js';
import type { DisplacedSession } from '../facts/write-result.js';

/** Rows that a write step deleted, and the roll-ups to recompute. */
export interface Removed {
  samples: number;
  sessions: number;
  healthScores: number;
  days: DirtyDays;
  wakeDates: string[];
  /** Sessions that a replaced window lacks. */
  gone: DisplacedSession[];
}

/** Combines the deletions of several steps. */
export function allRemoved(parts: readonly Removed[]): Removed {
  const sum = (count: (part: Removed) => number) => parts.reduce((total, part) => total + count(part), 0);
  return {
    samples: sum(({ samples }) => samples),
    sessions: sum(({ sessions }) => sessions),
    healthScores: sum(({ healthScores }) => healthScores),
    days: DirtyDays.union(parts.map(({ days }) => days)),
    wakeDates: parts.flatMap(({ wakeDates }) => wakeDates),
    gone: parts.flatMap(({ gone }) => gone),
  };
}

/** Outcome of a step without deletions. */
export function nothingRemoved(): Removed {
  return { samples: 0, sessions: 0, healthScores: 0, days: new DirtyDays(), wakeDates: [], gone: [] };
}
