import { DAYS_PER_WEEK, MS_PER_DAY, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import type { SimulatorClock } from '../clock.js';
import { type Answer, json } from '../response.js';

/** Limits of the application, for all users. */
export interface SuuntoLimits {
  /** Default 10. */
  perMinute: number;
  /** Default 200. */
  perWeek: number;
}

/** Sliding windows: a request counts until it is a minute, or a week, old. Rejected requests do not count. */
export class RateLimit {
  private times: number[] = [];

  constructor(
    private readonly clock: SimulatorClock,
    private readonly limits: SuuntoLimits,
  ) {}

  /** Counts a request, or returns a rejection if the request exceeds a limit. */
  take(): { refusal?: Answer } {
    const nowMs = this.clock.nowMs();
    this.times = this.times.filter((at) => at > nowMs - DAYS_PER_WEEK * MS_PER_DAY);
    const { perMinute, perWeek } = this.limits;
    const oldest = this.times.at(-perWeek);
    if (oldest !== undefined) {
      const left = duration(oldest + DAYS_PER_WEEK * MS_PER_DAY - nowMs);
      return { refusal: rejectedResponse(403, `Out of call volume quota. Quota will be replenished in ${left}.`) };
    }
    const first = this.times.at(-perMinute);
    if (first !== undefined && first > nowMs - MS_PER_MINUTE) {
      const seconds = Math.ceil((first + MS_PER_MINUTE - nowMs) / MS_PER_SECOND);
      return { refusal: rejectedResponse(429, `Rate limit is exceeded. Try again in ${seconds} seconds.`) };
    }
    this.times.push(nowMs);
    return {};
  }

  clear(): void {
    this.times = [];
  }
}

/** Returns an error of the vendor's API gateway. */
export function rejectedResponse(status: number, message: string): Answer {
  return json(status, { statusCode: status, message });
}

/** Formats `2.07:15:00`, without zero days. */
function duration(ms: number): string {
  const days = Math.floor(ms / MS_PER_DAY);
  const rest = new Date(ms % MS_PER_DAY).toISOString().slice(11, 19);
  return days === 0 ? rest : `${days}.${rest}`;
}
