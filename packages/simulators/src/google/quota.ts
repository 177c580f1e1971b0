import { MS_PER_MINUTE } from '@healthd/model';
import type { SimulatorClock } from '../clock.js';
import type { Call } from '../vendor/index.js';
import { quotaRejection } from './api-failure.js';
import { apiTarget } from './api-paths.js';
import type { SimulatedQuota } from './options.js';

/** Counts Health API requests against the quotas of the last 60 s. */
export class Quota {
  private counts: Record<string, Record<string, number>> = {};
  private peaks: Record<string, number> = {};
  private recent = new Map<string, number[]>();
  private recentOfProject: number[] = [];

  constructor(
    private readonly clock: SimulatorClock,
    private readonly quota: SimulatedQuota,
  ) {}

  /** Counts a request whose token belongs to an account. */
  take({ account, method, path }: Call) {
    if (account === undefined) return {};
    const target = apiTarget(method, path);
    return this.admits(account, target?.dataType ?? target?.operation ?? 'unknown')
      ? {}
      : { refusal: quotaRejection() };
  }

  /** Returns the highest number of requests within any 60 s, by account. */
  peakPerMinute(): Record<string, number> {
    return { ...this.peaks };
  }

  /** Returns the number of requests by account and data type. */
  countsByType(): Record<string, Record<string, number>> {
    return structuredClone(this.counts);
  }

  clear(): void {
    this.counts = {};
    this.peaks = {};
    this.recent.clear();
    this.recentOfProject = [];
  }

  private admits(account: string, dataType: string): boolean {
    this.counts[account] ??= {};
    const counts = this.counts[account];
    counts[dataType] = (counts[dataType] ?? 0) + 1;
    const nowMs = this.clock.nowMs();
    let times = this.recent.get(account);
    if (!times) {
      times = [];
      this.recent.set(account, times);
    }
    for (const list of [times, this.recentOfProject]) {
      while (list.length > 0 && (list[0]! <= nowMs - MS_PER_MINUTE || list[0]! > nowMs)) list.shift();
      list.push(nowMs);
    }
    this.peaks[account] = Math.max(this.peaks[account] ?? 0, times.length);
    return times.length <= this.quota.perUser && this.recentOfProject.length <= this.quota.perProject;
  }
}
