import { MS_PER_DAY } from '@healthd/model';

const LONGEST_MS = MS_PER_DAY;
/** IMF-fixdate, the only date form that servers may still send (RFC 9110, 5.6.7). */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Returns the milliseconds in a `Retry-After` header (RFC 9110, 10.2.3): whole seconds or an HTTP date. At least 0, at
 * most one day; undefined for a missing or invalid header.
 */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, LONGEST_MS);
  if (!HTTP_DATE.test(text)) return undefined;
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) return undefined;
  return Math.min(Math.max(0, atMs - nowMs), LONGEST_MS);
}
