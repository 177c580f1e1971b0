import { MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import { type Answer, json } from '../response.js';
import type { SimulatorClock } from '../clock.js';

/** Requests of the application, for all users. */
export interface RateLimits {
  /** Default 100. */
  perMinute: number;
  /** Default 10,000. */
  perDay: number;
}

interface Window {
  limit: number;
  lengthMs: number;
  startMs: number;
  used: number;
}

/** The vendor's two windows. The headers report the window that is used up first. */
export class RateLimit {
  private windows: Window[] = [];
  private largest = { perMinute: 0, perDay: 0 };

  constructor(
    private readonly clock: SimulatorClock,
    private readonly limits: RateLimits,
  ) {
    this.clear();
  }

  /** Counts a request. @returns the headers, and a rejection if it exceeds a limit */
  take(): { headers: Record<string, string>; refusal?: Answer } {
    const nowMs = this.clock.nowMs();
    for (const window of this.windows) {
      if (nowMs < window.startMs || nowMs >= window.startMs + window.lengthMs) {
        window.startMs = nowMs;
        window.used = 0;
      }
      window.used++;
    }
    const [minute, day] = this.windows as [Window, Window];
    this.largest.perMinute = Math.max(this.largest.perMinute, minute.used);
    this.largest.perDay = Math.max(this.largest.perDay, day.used);
    const mostUsed = day.limit - day.used < minute.limit - minute.used ? day : minute;
    const resetSeconds = Math.ceil((mostUsed.startMs + mostUsed.lengthMs - nowMs) / 1000);
    const headers = {
      'x-ratelimit-limit': `${mostUsed.limit}, ${minute.limit};window=60, ${day.limit};window=86400`,
      'x-ratelimit-remaining': String(Math.max(0, mostUsed.limit - mostUsed.used)),
      'x-ratelimit-reset': String(resetSeconds),
    };
    const isOver = mostUsed.used > mostUsed.limit;
    return { headers, ...(isOver && { refusal: json(429, { message: 'Too Many Requests' }, headers) }) };
  }

  /** Returns the peak number of requests per window of each type, including rejected requests. */
  peaks(): { perMinute: number; perDay: number } {
    return { ...this.largest };
  }

  clear(): void {
    const startMs = Number.NEGATIVE_INFINITY;
    this.windows = [
      { limit: this.limits.perMinute, lengthMs: MS_PER_MINUTE, startMs, used: 0 },
      { limit: this.limits.perDay, lengthMs: MS_PER_DAY, startMs, used: 0 },
    ];
    this.largest = { perMinute: 0, perDay: 0 };
  }
}
