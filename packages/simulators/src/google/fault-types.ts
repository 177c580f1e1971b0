import type { CommonFaultKind, FaultLimits, Role } from '../vendor/index.js';

export type Operation =
  | 'list'
  | 'reconcile'
  | 'rollUp'
  | 'dailyRollUp'
  | 'get'
  | 'identity'
  | 'settings'
  | 'profile'
  | 'pairedDevices';

/** Requests that a fault is for; members that are given must all hold. */
export interface FaultMatch {
  /** Default `api`. */
  role?: Role;
  account?: string;
  dataType?: string;
  operation?: Operation;
  method?: string;
  /** A part of path and query. */
  path?: string;
}

/** What goes wrong. */
export type FaultKind =
  | CommonFaultKind
  /** 429 before anything else; `Retry-After` only when `retryAfterSeconds` is given. */
  | { kind: 'rate_limited'; retryAfterSeconds?: number; retryAfterForm?: 'seconds' | 'date' }
  /** JSON error of the vendor with this HTTP status, e.g. 500, 503, 504, 403. */
  | { kind: 'error'; status: number; reason?: string }
  /** 401 as for an expired token; the token itself stays good. */
  | { kind: 'unauthorized' }
  /** A page without points and with a token that leads to the page asked for. */
  | { kind: 'empty_page' }
  /** The page asked for with a token that leads to the same page again. */
  | { kind: 'repeated_token' }
  /** Members and enum values that no one knows. */
  | { kind: 'unknown_members' }
  | { kind: 'missing_offsets' }
  | { kind: 'missing_civil_times' }
  /** Every entry of stagesSummary twice. */
  | { kind: 'duplicate_stages_summary' }
  /** `distanceMillimiters` in the summaries of exercises, as one guide spells it. */
  | { kind: 'misspelt_distance' };

export type Fault = FaultKind & FaultLimits & { match?: FaultMatch };
