import { MS_PER_DAY, MS_PER_MINUTE, SECONDS_PER_DAY } from '@healthd/model';
import type { SimulatorClock } from '../clock.js';
import type { Answer } from '../response.js';
import type { Account } from './account.js';
import { rejectedResponse } from './rejected.js';
import {
  type GarminItem,
  type GarminItems,
  keyOfSegment,
  permissionOf,
  type SummaryKey,
  secondsOf,
} from './wire-types.js';

const DAYS_BACK = 30;
const LONGEST_DAYS = 30;
/** Seconds that an export may start before the limit, because a client computes its range before the request. */
const GRACE_SECONDS = 60;

/** A window of history, with half-open times. */
interface ExportWindow {
  key: SummaryKey;
  fromSeconds: number;
  toSeconds: number;
}

/** Historical exports, which the vendor accepts first and delivers later. */
export class Exports {
  /** Duration of an export. */
  delaySeconds = 0;
  /** Types that the vendor's portal disables for the application. */
  readonly disabledKeys = new Set<SummaryKey>();
  private queue: { account: Account; window: ExportWindow; dueMs: number }[] = [];
  /** Days requested within the last minute, with the time of each request. */
  private taken: { atMs: number; days: number }[] = [];

  constructor(
    private readonly clock: SimulatorClock,
    private readonly daysPerMinute: number,
    private readonly deliver: (account: Account, items: GarminItems) => void,
  ) {}

  /** Handles the request for a window of history. Accepts a window once and rejects repetitions. */
  request(account: Account, segment: string, query: URLSearchParams): Answer {
    const key = keyOfSegment(segment);
    if (key === undefined) return rejectedResponse(404, 'Not found');
    const fromSeconds = Number(query.get('summaryStartTimeInSeconds') ?? Number.NaN);
    const toSeconds = Number(query.get('summaryEndTimeInSeconds') ?? Number.NaN);
    if (!Number.isInteger(fromSeconds) || !Number.isInteger(toSeconds) || toSeconds <= fromSeconds) {
      return rejectedResponse(400, 'Invalid start or end time');
    }
    if (!account.permissions.includes('HISTORICAL_DATA_EXPORT') || !account.permissions.includes(permissionOf(key))) {
      return rejectedResponse(412, 'User has not granted permission HISTORICAL_DATA_EXPORT');
    }
    if (this.disabledKeys.has(key)) return rejectedResponse(400, `Endpoint not enabled for summary type: ${segment}`);
    const days = (toSeconds - fromSeconds) / SECONDS_PER_DAY;
    if (days > LONGEST_DAYS) return rejectedResponse(400, 'Time range exceeds the maximum of 30 days');
    const nowMs = this.clock.nowMs();
    const earliestMs = (account.connectedMs ?? nowMs) - DAYS_BACK * MS_PER_DAY;
    if (fromSeconds < earliestMs / 1000 - GRACE_SECONDS) {
      return rejectedResponse(400, `start date before min start time of ${new Date(earliestMs).toISOString()}`);
    }
    const window = { key, fromSeconds, toSeconds };
    if (account.exported.some((earlier) => contains(earlier, window))) {
      return rejectedResponse(409, 'Duplicate backfill detected');
    }
    if (!this.takeDays(days)) return rejectedResponse(429, 'Too many days requested');
    account.exported.push(window);
    this.queue.push({ account, window, dueMs: nowMs + this.delaySeconds * 1000 });
    if (this.delaySeconds === 0) setImmediate(() => this.run());
    return { status: 202, headers: {}, body: '' };
  }

  /** Sends the exports that are due, or all accepted exports. @returns the number of sent exports */
  run({ all = false } = {}): number {
    const nowMs = this.clock.nowMs();
    const due = this.queue.filter(({ dueMs }) => all || dueMs <= nowMs);
    this.queue = this.queue.filter((one) => !due.includes(one));
    for (const { account, window } of due) {
      const items = account.items(window.key).filter((item) => isWithin(item, window));
      this.deliver(account, { [window.key]: items });
    }
    return due.length;
  }

  /** Returns accepted exports that have not been sent yet. */
  open(): (ExportWindow & { account: string })[] {
    return this.queue.map(({ account, window }) => ({ account: account.facts.id, ...window }));
  }

  clear(): void {
    this.disabledKeys.clear();
    this.queue = [];
    this.taken = [];
    this.delaySeconds = 0;
  }

  /** Counts days against the limit per minute. Returns false and counts nothing if the days exceed the limit. */
  private takeDays(days: number): boolean {
    const atMs = this.clock.nowMs();
    this.taken = this.taken.filter((one) => one.atMs > atMs - MS_PER_MINUTE);
    const sum = this.taken.reduce((total, one) => total + one.days, 0);
    if (sum + days > this.daysPerMinute) return false;
    this.taken.push({ atMs, days });
    return true;
  }
}

function contains(outer: ExportWindow, { key, fromSeconds, toSeconds }: ExportWindow): boolean {
  return outer.key === key && outer.fromSeconds <= fromSeconds && outer.toSeconds >= toSeconds;
}

function isWithin(item: GarminItem, { fromSeconds, toSeconds }: ExportWindow): boolean {
  const at = secondsOf(item);
  return at >= fromSeconds && at < toSeconds;
}
