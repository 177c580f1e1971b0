import { MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import type { Answer } from '../response.js';
import type { SimulatorClock } from '../clock.js';
import { failure } from './api.js';

const QUARTER_MS = 15 * MS_PER_MINUTE;

/** Limits of the application, for all users. */
export interface RateLimitRules {
  /** All requests per quarter hour; default 200. */
  perQuarter: number;
  /** Default 2,000. */
  perDay: number;
  /** Read requests; default 100. */
  readsPerQuarter: number;
  /** Default 1,000. */
  readsPerDay: number;
}

/** Windows start with the quarters of the hour and at midnight UTC. Rejected requests count too. */
export class RateLimit {
  private quarter = { no: 0, used: 0 };
  private day = { no: 0, used: 0 };

  constructor(
    private readonly clock: SimulatorClock,
    private readonly rules: RateLimitRules,
  ) {}

  /** Counts a read request. @returns the headers, and a rejection if it exceeds the limit */
  take(): { headers: Record<string, string>; refusal?: Answer } {
    this.quarter = counted(this.quarter, Math.floor(this.clock.nowMs() / QUARTER_MS));
    this.day = counted(this.day, Math.floor(this.clock.nowMs() / MS_PER_DAY));
    const { quarter, day } = this;
    const { perQuarter, perDay, readsPerQuarter, readsPerDay } = this.rules;
    const usage = `${quarter.used},${day.used}`;
    const headers = {
      'x-ratelimit-limit': `${perQuarter},${perDay}`,
      'x-ratelimit-usage': usage,
      'x-readratelimit-limit': `${readsPerQuarter},${readsPerDay}`,
      'x-readratelimit-usage': usage,
    };
    const isOver = quarter.used > Math.min(perQuarter, readsPerQuarter) || day.used > Math.min(perDay, readsPerDay);
    if (!isOver) return { headers };
    const rejection = failure(429, 'Rate Limit Exceeded', 'Application', 'rate limit', 'exceeded');
    return { headers, refusal: { ...rejection, headers: { ...rejection.headers, ...headers } } };
  }

  clear(): void {
    this.quarter = { no: 0, used: 0 };
    this.day = { no: 0, used: 0 };
  }
}

function counted(window: { no: number; used: number }, no: number) {
  return { no, used: (window.no === no ? window.used : 0) + 1 };
}
