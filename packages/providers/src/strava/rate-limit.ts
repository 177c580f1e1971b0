import { MS_PER_DAY, MS_PER_MINUTE, MS_PER_SECOND, SECONDS_PER_DAY, SECONDS_PER_MINUTE } from '@healthd/model';
import type { RemainingRequests } from '../cloud/index.js';

const QUARTER_MS = 15 * MS_PER_MINUTE;
/** Prefixes of the headers with the limits of all requests and of reads, each per quarter hour and per day. */
const HEADERS = ['x-ratelimit', 'x-readratelimit'];

/**
 * Returns the remaining requests of the quarter hour and the day. Uses the stricter of two limits: for all requests,
 * and for reads. Windows start with the quarters of the hour and at midnight UTC.
 */
export function remaining(headers: Headers): RemainingRequests[] {
  const [quarter, day] = leftOf(headers);
  const nowMs = timeOf(headers);
  return [
    ...windowOf(quarter, 15 * SECONDS_PER_MINUTE, resetMs(nowMs, QUARTER_MS)),
    ...windowOf(day, SECONDS_PER_DAY, resetMs(nowMs, MS_PER_DAY)),
  ];
}

/** Returns when a rejected request may be retried. The vendor names no time, but the windows are fixed. */
export function rejectedUntilMs(headers: Headers): number {
  const [, day] = leftOf(headers);
  return resetMs(timeOf(headers), day !== undefined && day <= 0 ? MS_PER_DAY : QUARTER_MS);
}

function windowOf(left: number | undefined, seconds: number, ms: number): RemainingRequests[] {
  if (left === undefined) return [];
  return [{ requests: Math.max(0, left), seconds, resetSeconds: Math.ceil(ms / MS_PER_SECOND) }];
}

/**
 * Returns the remaining requests of the quarter hour and the day. The vendor writes a usage of `,` if it has no
 * requests of this type.
 */
function leftOf(headers: Headers): [number | undefined, number | undefined] {
  const [quarters, days] = [0, 1].map((window) =>
    HEADERS.flatMap((header) => {
      const limit = numberAt(headers.get(`${header}-limit`), window);
      return limit === undefined ? [] : limit - (numberAt(headers.get(`${header}-usage`), window) ?? 0);
    }),
  );
  const least = (numbers: number[] = []) => (numbers.length === 0 ? undefined : Math.min(...numbers));
  return [least(quarters), least(days)];
}

function numberAt(pair: string | null, window: number): number | undefined {
  const text = pair?.split(',')[window]?.trim() ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Uses the vendor's clock if the response contains it. */
function timeOf(headers: Headers): number {
  const ms = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(ms) ? Date.now() : ms;
}

function resetMs(nowMs: number, windowMs: number): number {
  return windowMs - (nowMs % windowMs);
}
