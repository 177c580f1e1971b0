import { MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import type { SimulatorClock } from '../clock.js';
import type { Answer } from '../response.js';
import { failure } from './failure.js';

/** Limits of the application, for all users. */
export interface RateLimitRules {
  /** Per quarter hour; default 500 plus 20 per registered user. */
  perQuarter: number;
  /** Default 5,000 plus 100 per user. */
  perDay: number;
}

interface Window {
  lengthMs: number;
  startMs: number;
  used: number;
}

/** Two windows that start with the first request after the previous window. Rejected requests count too. */
export class RateLimit {
  private windows = freshWindows();

  constructor(
    private readonly clock: SimulatorClock,
    private readonly registered: () => number,
    private readonly rules: Partial<RateLimitRules> = {},
  ) {}

  /** Counts a request. @returns the headers, and a rejection if it exceeds a limit */
  take(): { headers: Record<string, string>; refusal?: Answer } {
    const nowMs = this.clock.nowMs();
    const accounts = this.registered();
    const { perQuarter = 500 + 20 * accounts, perDay = 5_000 + 100 * accounts } = this.rules;
    const limits = [perQuarter, perDay];
    for (const window of this.windows) {
      if (nowMs < window.startMs || nowMs >= window.startMs + window.lengthMs) {
        window.startMs = nowMs;
        window.used = 0;
      }
      window.used++;
    }
    const resets = this.windows.map(({ startMs, lengthMs }) => Math.ceil((startMs + lengthMs - nowMs) / 1000));
    const headers = {
      'ratelimit-usage': this.windows.map(({ used }) => used).join(', '),
      'ratelimit-limit': limits.join(', '),
      'ratelimit-reset': resets.join(', '),
    };
    if (this.windows.every(({ used }, n) => used <= (limits[n] as number))) return { headers };
    const rejection = failure(429, 'too_many_requests', 'Rate limit exceeded');
    return { headers, refusal: { ...rejection, headers: { ...rejection.headers, ...headers } } };
  }

  clear(): void {
    this.windows = freshWindows();
  }
}

function freshWindows(): Window[] {
  return [15 * MS_PER_MINUTE, MS_PER_DAY].map((lengthMs) => ({ lengthMs, startMs: Number.NEGATIVE_INFINITY, used: 0 }));
}
