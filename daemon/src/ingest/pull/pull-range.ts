import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import type { PullDataType, TimeRange } from '@healthd/providers';

/** Maximum length of a backfill. */
export const BACKFILL_DAYS = 90;
/** Maximum age of readable data if the provider has no limit. An earlier requested start is a mistake. */
const LONGEST_DAYS = 20 * 365;

/** Inputs for the range of one pull of one data type. */
export interface RangeFacts {
  type: Pick<PullDataType, 'latenessMs'>;
  nowMs: number;
  /** Cursor after the last pull; undefined before the first pull. */
  cursorMs: number | undefined;
  /** Time of the user's consent. */
  connectedMs: number;
  /** Undefined if no lookback is configured or the provider is not in pull mode. */
  lookbackMs: number | undefined;
  maxHistoricalDays: number | undefined;
  /** Time until which the vendor has reported every change. */
  notifiedUntilMs: number | undefined;
  /** Start of the earliest reported change that was not readable at the time. */
  missedFromMs: number | undefined;
  /** Start requested by the caller. Takes precedence. */
  sinceMs: number | undefined;
}

/**
 * Returns the range of a pull. It starts at the cursor, which trails the end of the last pull by the type's overlap
 * window. It starts earlier if the operator configured a lookback or a change was missed. The first pull starts a day,
 * or the lookback, before the consent. A long vendor outage therefore leaves no gap between the backfill and the pull.
 */
export function liveRange(facts: RangeFacts): TimeRange {
  const endMs = facts.nowMs;
  const earliestMs = endMs - (facts.maxHistoricalDays ?? LONGEST_DAYS) * MS_PER_DAY;
  const { sinceMs, missedFromMs = Number.POSITIVE_INFINITY } = facts;
  const startMs = Math.max(sinceMs ?? Math.min(startOf(facts), missedFromMs), earliestMs);
  // A clock that was set back must not reverse the range.
  return { startMs: Math.min(startMs, endMs - MS_PER_HOUR), endMs };
}

function startOf({ type, nowMs, cursorMs, connectedMs, lookbackMs = 0, notifiedUntilMs }: RangeFacts): number {
  if (cursorMs === undefined) return Math.min(connectedMs, nowMs) - (lookbackMs || MS_PER_DAY);
  const cursorStartMs = cursorMs - Math.max(0, lookbackMs - type.latenessMs);
  return notifiedUntilMs === undefined ? cursorStartMs : Math.max(cursorStartMs, notifiedUntilMs - type.latenessMs);
}

/** Returns the cursor after everything up to the end of a pull is stored. */
export function cursorAfter(type: Pick<PullDataType, 'latenessMs'>, endMs: number): number {
  return endMs - type.latenessMs;
}
