import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import { type ExportAdapter, type VendorApi, VendorError } from '@healthd/providers';
import type pg from 'pg';
import { changeExport, type ExportChange, type ExportRow } from './export-rows.js';

/** Effect of one window's request on the other windows. */
export type RequestOutcome =
  /** The other windows are requested too. */
  | { kind: 'on' }
  /** The vendor accepts no more requests before this time. */
  | { kind: 'wait'; until: Date; reason: string }
  /** The vendor exports no history at all, or no history for this connection. */
  | { kind: 'over'; reason: string; isOperators: boolean };

/** Maximum number of later start times accepted from a vendor. A vendor that sends more has another problem. */
const MAX_CLAMPS = 3;
/** Maximum number of failures, which take about a day with the delays below. */
const MAX_FAILURES = 24;
const LONGEST_WAIT_MS = MS_PER_HOUR;
/** Delay before the first check for the result of a request. */
const FIRST_POLL_MS = 6 * MS_PER_HOUR;

/**
 * Requests one window and stores the vendor's response. Records the attempt first, because the response may get lost.
 */
export async function requestExport(
  pool: pg.Pool,
  adapter: ExportAdapter,
  api: VendorApi,
  row: ExportRow,
  now: () => Date,
): Promise<RequestOutcome> {
  const wasRequested = row.askedAt !== null;
  const askedAt = row.askedAt ?? now();
  await changeExport(pool, row, { askedAt });
  const window = { startMs: row.fromAt.getTime(), endMs: row.toAt.getTime() };
  try {
    await adapter.request(api, row.dataType, window);
    await changeExport(pool, row, requested(now()));
    return { kind: 'on' };
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    return follow(pool, row, error, { wasRequested, at: now() });
  }
}

function requested(at: Date): ExportChange {
  const nextLookAt = new Date(at.getTime() + FIRST_POLL_MS);
  return { state: 'requested', requestedAt: at, nextLookAt, error: null };
}

async function follow(
  pool: pg.Pool,
  row: ExportRow,
  error: VendorError,
  { wasRequested, at }: { wasRequested: boolean; at: Date },
): Promise<RequestOutcome> {
  const reason = error.message;
  switch (error.code) {
    case 'conflict':
      // A conflict after a lost response means that the vendor accepted our own request. Otherwise the vendor delivered
      // this data earlier.
      await changeExport(pool, row, wasRequested ? requested(at) : { state: 'covered', error: reason });
      return { kind: 'on' };
    case 'range_too_early':
      await clamp(pool, row, error);
      return { kind: 'on' };
    case 'scope_missing':
      return { kind: 'over', reason, isOperators: false };
    case 'rate_limited': {
      const until = new Date(at.getTime() + (error.retryAfterMs ?? MS_PER_MINUTE));
      await changeExport(pool, row, { askedAt: wasRequested ? row.askedAt : null });
      return { kind: 'wait', until, reason };
    }
    case 'operator':
      await changeExport(pool, row, { state: 'failed', error: reason });
      return error.reason === 'endpoint_not_enabled' ? { kind: 'on' } : { kind: 'over', reason, isOperators: true };
    case 'unauthorized':
      // An error without an HTTP status means invalid tokens and ends the run. With a status, the vendor rejected only
      // this window.
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

async function repeat(pool: pg.Pool, row: ExportRow, reason: string, at: Date): Promise<RequestOutcome> {
  const failures = row.failures + 1;
  if (failures >= MAX_FAILURES) {
    await changeExport(pool, row, { state: 'failed', failures, error: reason });
    return { kind: 'on' };
  }
  const waitMs = Math.min(LONGEST_WAIT_MS, 30 * MS_PER_SECOND * 2 ** failures);
  await changeExport(pool, row, { failures, error: reason, nextLookAt: new Date(at.getTime() + waitMs) });
  return { kind: 'on' };
}

/**
 * Shortens a window to the vendor's earliest time, or to half its range if the vendor reports no earliest time. The
 * window is then requested again.
 */
async function clamp(pool: pg.Pool, row: ExportRow, { earliestMs, message }: VendorError): Promise<void> {
  const fromMs = row.fromAt.getTime();
  const toMs = row.toAt.getTime();
  const later = earliestMs ?? (fromMs + toMs) / 2;
  const isUsable = row.clamps < MAX_CLAMPS && later > fromMs;
  if (!isUsable) return changeExport(pool, row, { state: 'failed', error: message });
  // Marks an empty window as covered: the vendor has no history from before the consent.
  if (toMs - later < MS_PER_MINUTE) return changeExport(pool, row, { state: 'covered', error: message });
  await changeExport(pool, row, { fromAt: new Date(later), clamps: row.clamps + 1, askedAt: null });
}

const QUIET_MS = 6 * MS_PER_HOUR;
const EMPTY_MS = MS_PER_DAY;

/**
 * Returns the change of a requested window: its final state if it is complete, otherwise the time of the next check.
 * Data arrives in many deliveries over hours, so a window is complete six hours after the last item, or after a day
 * without items. Later data is stored like any delivery.
 */
export function settle(row: ExportRow, nowMs: number): ExportChange | undefined {
  const requestedMs = row.requestedAt?.getTime() ?? nowMs;
  const lastMs = row.lastItemAt?.getTime();
  const endsMs = lastMs === undefined ? requestedMs + EMPTY_MS : Math.max(requestedMs, lastMs) + QUIET_MS;
  if (endsMs > nowMs) return { nextLookAt: new Date(endsMs) };
  return { state: lastMs === undefined ? 'empty' : 'done' };
}
