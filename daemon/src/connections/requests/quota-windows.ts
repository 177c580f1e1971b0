import { DAYS_PER_WEEK, SECONDS_PER_DAY, SECONDS_PER_MINUTE } from '@healthd/model';
import type { VendorQuotas } from '@healthd/providers';

/** Request limit for a window of `seconds`. If `requests` is undefined, requests are counted but not limited. */
export interface QuotaWindow {
  requests: number | undefined;
  seconds: number;
}

/**
 * Share of a window's quota that may be a burst. The rest is spread over the window, so that no window exceeds the
 * quota.
 */
const BURST_SHARE = 0.1;

/** Represents an unlimited quota. It is a number because the database calculates with it. */
const UNBOUNDED = 1e15;

/**
 * Returns the windows in which an application's requests are counted. Every vendor's daily requests are counted for
 * planning.
 */
export function windowsOf({
  perApplicationAndMinute,
  perApplicationAndDay,
  perApplicationAndWeek,
  limitsInAnswers: limitsInResponses,
}: VendorQuotas): QuotaWindow[] {
  const minute = { requests: perApplicationAndMinute, seconds: SECONDS_PER_MINUTE };
  const week = { requests: perApplicationAndWeek, seconds: DAYS_PER_WEEK * SECONDS_PER_DAY };
  if (!limitsInResponses) {
    const day = { requests: perApplicationAndDay, seconds: SECONDS_PER_DAY };
    return perApplicationAndWeek === undefined ? [minute, day] : [minute, day, week];
  }
  return [
    minute,
    { requests: undefined, seconds: 15 * SECONDS_PER_MINUTE },
    { requests: undefined, seconds: SECONDS_PER_DAY },
  ];
}

/**
 * Minimum burst, because reading one time window with an extended search may send this many requests. Limited to half
 * of a quota.
 */
const SMALLEST_BURST = 4;

/** Returns a window's burst: the requests that may be sent without a wait. */
export function burstOf({ requests = UNBOUNDED }: QuotaWindow): number {
  return Math.max(1, Math.floor(requests * BURST_SHARE), Math.min(SMALLEST_BURST, Math.floor(requests / 2)));
}

/**
 * Returns the number of requests in a burst that are reserved for higher priorities. Never reserves the minimum burst.
 * @param share part of the burst to reserve, 0 to 1
 */
export function reservedOf(window: QuotaWindow, share: number): number {
  const burst = burstOf(window);
  return Math.max(0, Math.min(share * (burst - 1), burst - SMALLEST_BURST));
}

/** Returns the requests that all windows allow per day. @param people number of connected users */
export function requestsPerDay(quotas: VendorQuotas, users: number): number {
  const { perApplicationAndMinute, perUserAndDay = 0, perApplicationAndDay, perApplicationAndWeek } = quotas;
  return Math.min(
    (perApplicationAndMinute * SECONDS_PER_DAY) / SECONDS_PER_MINUTE,
    (perApplicationAndDay ?? Number.POSITIVE_INFINITY) + users * perUserAndDay,
    (perApplicationAndWeek ?? Number.POSITIVE_INFINITY) / DAYS_PER_WEEK,
  );
}

/** Returns the requests that refill per second. */
export function perSecondOf(window: QuotaWindow): number {
  return Math.max(1, (window.requests ?? UNBOUNDED) - burstOf(window)) / window.seconds;
}
