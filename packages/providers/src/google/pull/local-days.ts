import { dayStartMs, localDayNumber, MS_PER_MINUTE, ZoneOffsets } from '@healthd/model';
import type { TimeRange, VendorAccount } from '../../cloud/index.js';

/** One local day; the offset is undefined when nothing about the account's clock is known, and the day UTC's then. */
export interface LocalDay extends TimeRange {
  day: number;
  offsetMinutes?: number;
}

/** The days of an account: those of its time zone, else of the offset that its newest data have. */
export class LocalDays {
  private readonly zones = new ZoneOffsets();

  constructor(private readonly account: Pick<VendorAccount, 'timeZone' | 'offsetMinutes'>) {}

  /** Minutes ahead of UTC at an instant; undefined when nothing is known. */
  offsetAt(ms: number): number | undefined {
    const { timeZone, offsetMinutes } = this.account;
    return (timeZone === undefined ? undefined : this.zones.at(timeZone, ms)) ?? offsetMinutes;
  }

  /** Number of the day that an instant is in. */
  dayAt(ms: number): number {
    return localDayNumber(ms, this.offsetAt(ms) ?? 0);
  }

  /** A day from its first instant to the next day's. */
  of(day: number): LocalDay {
    const startMs = this.startOf(day);
    return { day, startMs, endMs: this.startOf(day + 1), offsetMinutes: this.offsetAt(startMs) };
  }

  /** Where clocks are put forward at midnight, the day begins with what they show then. */
  private startOf(day: number): number {
    const midnight = (offset: number) => dayStartMs(day, offset);
    const offset = this.offsetAt(midnight(0)) ?? 0;
    const first = midnight(offset);
    const second = midnight(this.offsetAt(first) ?? 0);
    const isMidnight = second + (this.offsetAt(second) ?? 0) * MS_PER_MINUTE === midnight(0);
    return isMidnight ? second : Math.max(first, second);
  }
}
