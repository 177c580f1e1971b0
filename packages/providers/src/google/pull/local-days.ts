import { dayStartMs, localDayNumber, MS_PER_MINUTE, ZoneOffsets } from '@healthd/model';
import type { TimeRange, VendorAccount } from '../../cloud/index.js';

/** One local day. Without a known offset, the offset is undefined and the day is a UTC day. */
export interface LocalDay extends TimeRange {
  day: number;
  offsetMinutes?: number;
}

/** Local days of an account, by its time zone or by the offset of its newest data. */
export class LocalDays {
  private readonly zones = new ZoneOffsets();

  constructor(private readonly account: Pick<VendorAccount, 'timeZone' | 'offsetMinutes'>) {}

  /** Returns the UTC offset in minutes at an instant; undefined if unknown. */
  offsetAt(ms: number): number | undefined {
    const { timeZone, offsetMinutes } = this.account;
    return (timeZone === undefined ? undefined : this.zones.at(timeZone, ms)) ?? offsetMinutes;
  }

  /** Returns the day number of an instant. */
  dayAt(ms: number): number {
    return localDayNumber(ms, this.offsetAt(ms) ?? 0);
  }

  /** Returns a day from its first instant to the next day's first instant. */
  of(day: number): LocalDay {
    const startMs = this.startOf(day);
    return { day, startMs, endMs: this.startOf(day + 1), offsetMinutes: this.offsetAt(startMs) };
  }

  // If clocks go forward at midnight, the day starts at the new time.
  private startOf(day: number): number {
    const midnight = (offset: number) => dayStartMs(day, offset);
    const offset = this.offsetAt(midnight(0)) ?? 0;
    const first = midnight(offset);
    const second = midnight(this.offsetAt(first) ?? 0);
    const isMidnight = second + (this.offsetAt(second) ?? 0) * MS_PER_MINUTE === midnight(0);
    return isMidnight ? second : Math.max(first, second);
  }
}
