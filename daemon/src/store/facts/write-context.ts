import type pg from 'pg';
import type { Turns } from '../../platform/turns.js';
import type { OffsetTimeline } from './offsets/offset-timeline.js';

/**
 * A transaction on one user's health data, with facts about the user. They are loaded once, after the user's row is locked.
 */
export interface WriteContext {
  client: pg.ClientBase;
  userKey: number;
  /** Maximum pause between sleep stages of one session. */
  sleepEndGapMinutes: number;
  /** First local day without archived data, in days since 1970-01-01; undefined if nothing is archived. */
  archivedBefore: number | undefined;
  /** True if any of the user's samples has extremes. Most vendors report none. */
  hasExtremes: boolean;
  /** Observed UTC offsets around the transaction's instants, and the fallback zone. */
  timeline: OffsetTimeline;
  /** Yields to the event loop during long work. */
  turns: Turns;
}
