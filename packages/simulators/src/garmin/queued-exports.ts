import { MS_PER_MINUTE } from '@healthd/model';
import type { SummaryKey } from './wire-types.js';

/** An export that was taken and has not been sent. */
export interface QueuedExport {
  account: string;
  key: SummaryKey;
  fromSeconds: number;
  toSeconds: number;
  dueMs: number;
}

/** Days that may be requested in a minute. */
export class DayBudget {
  private taken: { atMs: number; days: number }[] = [];

  constructor(
    private readonly nowMs: () => number,
    private readonly perMinute: number,
  ) {}

  take(days: number): boolean {
    const since = this.nowMs() - MS_PER_MINUTE;
    this.taken = this.taken.filter(({ atMs }) => atMs > since);
    const sum = this.taken.reduce((total, one) => total + one.days, 0);
    if (sum + days > this.perMinute) return false;
    this.taken.push({ atMs: this.nowMs(), days });
    return true;
  }

  clear(): void {
    this.taken = [];
  }
}
