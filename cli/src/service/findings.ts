import { failureOf } from '../failure.js';

/** What helps where a disk is full, or nearly. */
export const DISK_ADVICE = 'Make room where the service keeps its data and its database; it goes on by itself.';

/** What one check of `doctor` found. `advice` says what to do and is missing where nothing is to be done. */
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

/** A check that could not be made. */
export function failureFinding(check: string, error: unknown): Finding {
  const failure = failureOf(error);
  return failed(check, failure.message, failure.hint ?? 'The log of the service says more.', failure.code);
}
