import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import { type ExportAdapter, type VendorApi, VendorError } from '@healthd/providers';
import type pg from 'pg';
import { changeExport, type ExportChange, type ExportRow } from './export-rows.js';

/** What asking for one window means for the others. */
export type AskOutcome =
  /** They are asked for too. */
  | { kind: 'on' }
  /** Not before this time: the vendor takes no more requests for now. */
  | { kind: 'wait'; until: Date; reason: string }
  /** The vendor gives nothing of the past, or nothing to this connection. */
  | { kind: 'over'; reason: string; isOperators: boolean };

/** A vendor that names a later beginning is believed this often; then something else is wrong. */
const MAX_CLAMPS = 3;
/** About a day with the pauses below. */
const MAX_FAILURES = 24;
const LONGEST_WAIT_MS = MS_PER_HOUR;
/** First look for what came of a request. */
const FIRST_LOOK_MS = 6 * MS_PER_HOUR;

/** Asks for one window, and notes what the vendor said. That it is asked is noted before, because the answer may be lost. */
export async function askFor(
  pool: pg.Pool,
  adapter: ExportAdapter,
  api: VendorApi,
  row: ExportRow,
  now: () => Date,
): Promise<AskOutcome> {
  const wasAsked = row.askedAt !== null;
  const askedAt = row.askedAt ?? now();
  await changeExport(pool, row, { askedAt });
  const window = { startMs: row.fromAt.getTime(), endMs: row.toAt.getTime() };
  try {
    await adapter.request(api, row.dataType, window);
    await changeExport(pool, row, requested(now()));
    return { kind: 'on' };
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    return follow(pool, row, error, { wasAsked, at: now() });
  }
}

function requested(at: Date): ExportChange {
  const nextLookAt = new Date(at.getTime() + FIRST_LOOK_MS);
  return { state: 'requested', requestedAt: at, nextLookAt, error: null };
}

async function follow(
  pool: pg.Pool,
  row: ExportRow,
  error: VendorError,
  { wasAsked, at }: { wasAsked: boolean; at: Date },
): Promise<AskOutcome> {
  const reason = error.message;
  switch (error.code) {
    case 'conflict':
      // A request of ours whose answer was lost has been taken; any other means that the data came before.
      await changeExport(pool, row, wasAsked ? requested(at) : { state: 'covered', error: reason });
      return { kind: 'on' };
    case 'range_too_early':
      await clamp(pool, row, error);
      return { kind: 'on' };
    case 'scope_missing':
      return { kind: 'over', reason, isOperators: false };
    case 'rate_limited': {
      const until = new Date(at.getTime() + (error.retryAfterMs ?? MS_PER_MINUTE));
      await changeExport(pool, row, { askedAt: wasAsked ? row.askedAt : null });
      return { kind: 'wait', until, reason };
    }
    case 'operator':
      await changeExport(pool, row, { state: 'failed', error: reason });
      return error.reason === 'endpoint_not_enabled' ? { kind: 'on' } : { kind: 'over', reason, isOperators: true };
    case 'unauthorized':
      // Without a status the tokens are dead, which ends the run; with one this window is refused.
      if (error.status === undefined) return { kind: 'over', reason, isOperators: false };
      await changeExport(pool, row, { state: 'failed', error: reason });
      return { kind: 'on' };
    case 'unavailable':
    case 'invalid_answer':
      return repeat(pool, row, reason, at);
    default:
      await changeExport(pool, row, { state: 'failed', error: reason });
      return { kind: 'on' };
  }
}

async function repeat(pool: pg.Pool, row: ExportRow, reason: string, at: Date): Promise<AskOutcome> {
  const failures = row.failures + 1;
  if (failures >= MAX_FAILURES) {
    await changeExport(pool, row, { state: 'failed', failures, error: reason });
    return { kind: 'on' };
  }
  const waitMs = Math.min(LONGEST_WAIT_MS, 30 * MS_PER_SECOND * 2 ** failures);
  await changeExport(pool, row, { failures, error: reason, nextLookAt: new Date(at.getTime() + waitMs) });
  return { kind: 'on' };
}

/** The vendor says where it begins, or that half of the time is asked for; the window is then asked for again. */
async function clamp(pool: pg.Pool, row: ExportRow, { earliestMs, message }: VendorError): Promise<void> {
  const fromMs = row.fromAt.getTime();
  const toMs = row.toAt.getTime();
  const later = earliestMs ?? (fromMs + toMs) / 2;
  const isUsable = row.clamps < MAX_CLAMPS && later > fromMs;
  if (!isUsable) return changeExport(pool, row, { state: 'failed', error: message });
  // Nothing is left of it: the vendor has no past before the consent.
  if (toMs - later < MS_PER_MINUTE) return changeExport(pool, row, { state: 'covered', error: message });
  await changeExport(pool, row, { fromAt: new Date(later), clamps: row.clamps + 1, askedAt: null });
}

const QUIET_MS = 6 * MS_PER_HOUR;
const EMPTY_MS = MS_PER_DAY;

/**
 * Whether what was requested is there: data come in many deliveries over hours, so it is when nothing came for six hours
 * after the last, and when nothing came at all for a day. What comes later is stored as everything that is delivered.
 */
export function settle(row: ExportRow, nowMs: number): ExportChange | undefined {
  const requestedMs = row.requestedAt?.getTime() ?? nowMs;
  const lastMs = row.lastItemAt?.getTime();
  const endsMs = lastMs === undefined ? requestedMs + EMPTY_MS : Math.max(requestedMs, lastMs) + QUIET_MS;
  if (endsMs > nowMs) return { nextLookAt: new Date(endsMs) };
  return { state: lastMs === undefined ? 'empty' : 'done' };
}
