import { DAYS_PER_WEEK, SECONDS_PER_DAY, SECONDS_PER_MINUTE } from '@healthd/model';
import type { VendorQuotas } from '@healthd/providers';

/** A number of requests in a number of seconds; `requests` is undefined where they are only counted. */
export interface QuotaWindow {
  requests: number | undefined;
  seconds: number;
}

/** The share of a window's quota that is its burst; the rest is spread over the window, so that no window has more. */
const BURST_SHARE = 0.1;

/** Stands for a quota without a bound; a number, because the database computes with it. */
const UNBOUNDED = 1e15;

/** The windows in which an application's requests are counted: every vendor's day is, for planning. */
export function windowsOf({
  perApplicationAndMinute,
  perApplicationAndDay,
  perApplicationAndWeek,
  limitsInAnswers,
}: VendorQuotas): QuotaWindow[] {
  const minute = { requests: perApplicationAndMinute, seconds: SECONDS_PER_MINUTE };
  const week = { requests: perApplicationAndWeek, seconds: DAYS_PER_WEEK * SECONDS_PER_DAY };
  if (!limitsInAnswers) {
    const day = { requests: perApplicationAndDay, seconds: SECONDS_PER_DAY };
    return perApplicationAndWeek === undefined ? [minute, day] : [minute, day, week];
  }
  return [
    minute,
    { requests: undefined, seconds: 15 * SECONDS_PER_MINUTE },
    { requests: undefined, seconds: SECONDS_PER_DAY },
  ];
}

/** What one reading takes at the most that has to look further than usual, unless that is more than half of a quota. */
const SMALLEST_BURST = 4;

/** The burst of a window: requests that may be sent with no wait between them. */
export function burstOf({ requests = UNBOUNDED }: QuotaWindow): number {
  return Math.max(1, Math.floor(requests * BURST_SHARE), Math.min(SMALLEST_BURST, Math.floor(requests / 2)));
}

/** Requests of a burst that are left to others. @param share of the burst; what one reading may need is never left */
export function reservedOf(window: QuotaWindow, share: number): number {
  const burst = burstOf(window);
  return Math.max(0, Math.min(share * (burst - 1), burst - SMALLEST_BURST));
}

/** Requests that all windows together allow in a day. @param people who are connected */
export function requestsPerDay(quotas: VendorQuotas, people: number): number {
  const { perApplicationAndMinute, perPersonAndDay = 0, perApplicationAndDay, perApplicationAndWeek } = quotas;
  return Math.min(
    (perApplicationAndMinute * SECONDS_PER_DAY) / SECONDS_PER_MINUTE,
    (perApplicationAndDay ?? Number.POSITIVE_INFINITY) + people * perPersonAndDay,
    (perApplicationAndWeek ?? Number.POSITIVE_INFINITY) / DAYS_PER_WEEK,
  );
}

/** Requests that come back in a second. */
export function perSecondOf(window: QuotaWindow): number {
  return Math.max(1, (window.requests ?? UNBOUNDED) - burstOf(window)) / window.seconds;
}
