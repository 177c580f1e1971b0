import { failureOf } from '../failure.js';

/** Advice for a full or almost full disk. */
export const DISK_ADVICE =
  'Free disk space for the service’s data and its database. The service then continues automatically.';

/** Result of one check of `doctor`. `advice` is missing if no action is needed. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'failed' | 'skipped';
  found: string;
  advice: string | null;
  /** Stable reason of a failure. */
  code: string | null;
}

export function ok(check: string, found: string): Finding {
  return { check, state: 'ok', found, advice: null, code: null };
}

export function warning(check: string, found: string, advice: string): Finding {
  return { check, state: 'warning', found, advice, code: null };
}

export function failed(check: string, found: string, advice: string, code: string): Finding {
  return { check, state: 'failed', found, advice, code };
}

export function skipped(check: string, found: string): Finding {
  return { check, state: 'skipped', found, advice: null, code: null };
}

/** Returns the result of a check that could not run. */
export function failureFinding(check: string, error: unknown): Finding {
  const failure = failureOf(error);
  return failed(check, failure.message, failure.hint ?? 'See the service log.', failure.code);
}
