import type pg from 'pg';
import type { Turns } from '../../platform/turns.js';
import type { OffsetTimeline } from './offsets/offset-timeline.js';

/**
 * One transaction on a user's health data: what it knows of the user. It is read once, after the user's row was locked, and
 * handed down.
 */
export interface WriteContext {
  client: pg.ClientBase;
  userKey: number;
  /** Longest pause between sleep stages of one session. */
  sleepEndGapMinutes: number;
  /** The first local day (days since 1970-01-01) of which nothing was archived; undefined where nothing ever was. */
  archivedBefore: number | undefined;
  /** What the user's data showed of offsets around the given instants, and the zone that counts elsewhere. */
  timeline: OffsetTimeline;
  /** Splits long work on many items. */
  turns: Turns;
}
