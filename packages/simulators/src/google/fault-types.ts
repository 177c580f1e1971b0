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

/** Selects the requests of a fault. All specified members must match. */
export interface FaultMatch {
  /** Default `api`. */
  role?: Role;
  account?: string;
  dataType?: string;
  operation?: Operation;
  method?: string;
  /** Substring of path and query. */
  path?: string;
}

/** Effect of a fault. */
export type FaultKind =
  | CommonFaultKind
  /** Returns 429 before any other check. `Retry-After` is sent only if `retryAfterSeconds` is set. */
  | { kind: 'rate_limited'; retryAfterSeconds?: number; retryAfterForm?: 'seconds' | 'date' }
  /** Returns the vendor's JSON error with this HTTP status, for example 500, 503, 504 or 403. */
  | { kind: 'error'; status: number; reason?: string }
  /** Returns 401 as for an expired token. The token remains valid. */
  | { kind: 'unauthorized' }
  /** Returns an empty page with a token for the requested page. */
  | { kind: 'empty_page' }
  /** Returns the requested page with a token for the same page. */
  | { kind: 'repeated_token' }
  /** Adds unknown members and enum values. */
  | { kind: 'unknown_members' }
  | { kind: 'missing_offsets' }
  | { kind: 'missing_civil_times' }
  /** Repeats every entry of stagesSummary. */
  | { kind: 'duplicate_stages_summary' }
  /** Writes `distanceMillimiters` in exercise summaries, a misspelling in one of the vendor's guides. */
  | { kind: 'misspelt_distance' };

export type Fault = FaultKind & FaultLimits & { match?: FaultMatch };
