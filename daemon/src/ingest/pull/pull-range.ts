import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import type { PullDataType, TimeRange } from '@healthd/providers';

/** How far back a backfill reaches at most. */
export const BACKFILL_DAYS = 90;
/** No one has worn a device for longer; what a setting or a caller asks for beyond it is a slip. */
const LONGEST_DAYS = 20 * 365;

/** What decides which time one pull of one kind of data covers. */
export interface RangeFacts {
  type: Pick<PullDataType, 'latenessMs'>;
  nowMs: number;
  /** Where the last pull left the cursor; undefined before the first one. */
  cursorMs: number | undefined;
  /** When the person consented. */
  connectedMs: number;
  /** Undefined: off, or the provider is not in pull mode. */
  lookbackMs: number | undefined;
  maxHistoricalDays: number | undefined;
  /** Until when the vendor has reported every change by itself. */
  notifiedUntilMs: number | undefined;
  /** Where the earliest change begins that the vendor reported and that could not be read then. */
  missedFromMs: number | undefined;
  /** What the caller asked for, which comes before all else. */
  sinceMs: number | undefined;
}

/**
 * The time that a pull covers: from the cursor, which trails by the type's lateness, or from further back where the
 * operator wants it. The first pull begins a day, or the lookback, before the consent: however long the vendor is away
 * meanwhile, nothing is left out between the backfill and it.
 */
export function liveRange(facts: RangeFacts): TimeRange {
  const endMs = facts.nowMs;
  const earliestMs = endMs - (facts.maxHistoricalDays ?? LONGEST_DAYS) * MS_PER_DAY;
  const { sinceMs, missedFromMs = Number.POSITIVE_INFINITY } = facts;
  const startMs = Math.max(sinceMs ?? Math.min(startOf(facts), missedFromMs), earliestMs);
  // A clock that was set back must not turn the range over.
  return { startMs: Math.min(startMs, endMs - MS_PER_HOUR), endMs };
}

function startOf({ type, nowMs, cursorMs, connectedMs, lookbackMs = 0, notifiedUntilMs }: RangeFacts): number {
  if (cursorMs === undefined) return Math.min(connectedMs, nowMs) - (lookbackMs || MS_PER_DAY);
  const cursorStartMs = cursorMs - Math.max(0, lookbackMs - type.latenessMs);
  return notifiedUntilMs === undefined ? cursorStartMs : Math.max(cursorStartMs, notifiedUntilMs - type.latenessMs);
}

/** Where the cursor goes once everything up to the end of a pull is stored. */
export function cursorAfter(type: Pick<PullDataType, 'latenessMs'>, endMs: number): number {
  return endMs - type.latenessMs;
}
