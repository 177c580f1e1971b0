import { MS_PER_MINUTE } from '@healthd/model';
import { type Answer, json } from '../response.js';
import type { SimulatorClock } from '../clock.js';

const WINDOW_MS = 5 * MS_PER_MINUTE;

export interface RateLimitRules {
  /** Requests of the application in five minutes. Default 5,000. */
  perFiveMinutes: number;
}

/** One window of five minutes for the application. A rejection contains the window's end. */
export class RateLimit {
  private startMs = Number.NEGATIVE_INFINITY;
  private used = 0;

  constructor(
    private readonly clock: SimulatorClock,
    private readonly rules: RateLimitRules,
  ) {}

  /** Counts a request. @returns the headers, and a rejection if it exceeds the limit */
  take(): { headers: Record<string, string>; refusal?: Answer } {
    const nowMs = this.clock.nowMs();
    if (nowMs < this.startMs || nowMs >= this.startMs + WINDOW_MS) {
      this.startMs = nowMs;
      this.used = 0;
    }
    this.used++;
    const endMs = this.startMs + WINDOW_MS;
    const headers = {
      'x-ratelimit-limit': String(this.rules.perFiveMinutes),
      'x-ratelimit-window': String(WINDOW_MS / 1000),
      'x-ratelimit-reset': String(Math.ceil(endMs / 1000)),
    };
    if (this.used <= this.rules.perFiveMinutes) return { headers };
    const retryAfter = { ...headers, 'retry-after': String(Math.ceil((endMs - nowMs) / 1000)) };
    return { headers: retryAfter, refusal: json(429, { detail: 'Request Rate Limit Exceeded' }, retryAfter) };
  }

  clear(): void {
    this.startMs = Number.NEGATIVE_INFINITY;
  }
}
