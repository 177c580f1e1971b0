import { MS_PER_DAY, MS_PER_MINUTE, MS_PER_SECOND, SECONDS_PER_DAY, SECONDS_PER_MINUTE } from '@healthd/model';
import type { RemainingRequests } from '../cloud/index.js';

const QUARTER_MS = 15 * MS_PER_MINUTE;
/** The limit of all requests and the one of those that read; each of a quarter of an hour and of a day. */
const HEADERS = ['x-ratelimit', 'x-readratelimit'];

/**
 * What is left of the quarter of an hour and of the day: the smaller of the two limits of each. Windows begin with the
 * quarters of the hour and at midnight UTC.
 */
export function remaining(headers: Headers): RemainingRequests[] {
  const [quarter, day] = leftOf(headers);
  const nowMs = timeOf(headers);
  return [
    ...windowOf(quarter, 15 * SECONDS_PER_MINUTE, resetMs(nowMs, QUARTER_MS)),
    ...windowOf(day, SECONDS_PER_DAY, resetMs(nowMs, MS_PER_DAY)),
  ];
}

/** When a refused request may come again: the vendor names no time, but the windows are known. */
export function refusedUntilMs(headers: Headers): number {
  const [, day] = leftOf(headers);
  return resetMs(timeOf(headers), day !== undefined && day <= 0 ? MS_PER_DAY : QUARTER_MS);
}

function windowOf(left: number | undefined, seconds: number, ms: number): RemainingRequests[] {
  if (left === undefined) return [];
  return [{ requests: Math.max(0, left), seconds, resetSeconds: Math.ceil(ms / MS_PER_SECOND) }];
}

/** Requests left of the quarter and of the day. Without requests of a kind the vendor writes a usage of `,`. */
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

/** By the vendor's own clock where the answer has it. */
function timeOf(headers: Headers): number {
  const ms = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(ms) ? Date.now() : ms;
}

function resetMs(nowMs: number, windowMs: number): number {
  return windowMs - (nowMs % windowMs);
}
