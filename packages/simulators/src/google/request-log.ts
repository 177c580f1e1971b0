import { MS_PER_MINUTE } from '@healthd/model';
import type { SimulatorClock } from '../clock.js';
import type { Call } from './exchange.js';
import type { RequestFilter, RequestRecord } from './request-types.js';

/** Older records are dropped; counts and peaks stay. */
const MAX_RECORDS = 100_000;
const SECRET_PARAMETERS = new Set(['code', 'token', 'access_token', 'code_challenge', 'state']);

/** What was asked of the simulator, and the quotas that are counted with it. */
export class RequestLog {
  private records: RequestRecord[] = [];
  private counts: Record<string, Record<string, number>> = {};
  private peaks: Record<string, number> = {};
  private recent = new Map<string, number[]>();
  private recentOfProject: number[] = [];

  constructor(
    private readonly clock: SimulatorClock,
    private readonly quota: { perUser: number; perProject: number },
  ) {}

  /** Counts a Health API request of an account. @returns false when it is over a quota of the last 60 s */
  admit(account: string, dataType: string): boolean {
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

  add(call: Call, status: number): void {
    const query: Record<string, string> = {};
    for (const [name, value] of call.query) if (!SECRET_PARAMETERS.has(name)) query[name] = value;
    const { role, method, path, account, dataType, operation } = call;
    const fault = call.fault?.kind;
    this.records.push({ at: this.clock.now(), role, method, path, query, status, account, dataType, operation, fault });
    if (this.records.length > MAX_RECORDS) this.records = this.records.slice(MAX_RECORDS / 10);
  }

  find({ path, ...equal }: RequestFilter = {}): RequestRecord[] {
    const members = Object.entries(equal) as [keyof RequestRecord, unknown][];
    return this.records.filter(
      (record) =>
        (path === undefined || record.path.includes(path)) && members.every(([name, value]) => record[name] === value),
    );
  }

  peakPerMinute(): Record<string, number> {
    return { ...this.peaks };
  }

  countsByType(): Record<string, Record<string, number>> {
    return structuredClone(this.counts);
  }

  clear(): void {
    this.records = [];
    this.counts = {};
    this.peaks = {};
    this.recent.clear();
    this.recentOfProject = [];
  }
}
