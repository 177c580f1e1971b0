import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, SECONDS_PER_HOUR } from '@healthd/model';

const TWO_DIGITS = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));

/** One local day of the simulated user. */
export interface LocalDay {
  /** `YYYY-MM-DD` */
  date: string;
  /** Days since 1970-01-01. */
  number: number;
  /** Local midnight. */
  startMs: number;
  /** The next local midnight; 23 or 25 hours later on a clock change. */
  endMs: number;
}

/** Local time of one time zone, including daylight saving time, fast enough to write millions of dates. */
export class Calendar {
  private readonly format: Intl.DateTimeFormat;
  private readonly offsets = new Map<number, number>();
  private textDay = Number.NaN;
  private textDate = '';
  private textOffset = Number.NaN;
  private textZone = '';

  /** @param timeZone IANA name, e.g. `Europe/Warsaw` */
  constructor(timeZone: string) {
    this.format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  }

  /** Minutes ahead of UTC. Zones change at quarter hours. */
  offsetAt(ms: number): number {
    const quarter = Math.floor(ms / (MS_PER_HOUR / 4));
    let offset = this.offsets.get(quarter);
    if (offset === undefined) {
      offset = this.sameAllDay(ms) ?? this.lookUp(ms);
      this.offsets.set(quarter, offset);
    }
    return offset;
  }

  /** Returns the day `YYYY-MM-DD`, shifted by some days. */
  day(date: string, plusDays = 0): LocalDay {
    const number = Date.parse(`${date}T00:00:00Z`) / MS_PER_DAY + plusDays;
    return {
      number,
      date: new Date(number * MS_PER_DAY).toISOString().slice(0, 10),
      startMs: this.midnight(number),
      endMs: this.midnight(number + 1),
    };
  }

  /** Returns the local date of an instant. */
  dateOf(ms: number): string {
    return this.text(ms).slice(0, 10);
  }

  /** Formats like the vendor: `2024-03-31 08:05:09 +0200`. */
  text(ms: number): string {
    const offset = this.offsetAt(ms);
    const local = ms + offset * MS_PER_MINUTE;
    const day = Math.floor(local / MS_PER_DAY);
    if (day !== this.textDay) {
      this.textDay = day;
      this.textDate = new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
    }
    if (offset !== this.textOffset) {
      this.textOffset = offset;
      const distance = Math.abs(offset);
      this.textZone = `${offset < 0 ? '-' : '+'}${TWO_DIGITS[Math.floor(distance / 60)]}${TWO_DIGITS[distance % 60]}`;
    }
    const seconds = Math.floor((local - day * MS_PER_DAY) / 1000);
    const clock = `${TWO_DIGITS[Math.floor(seconds / SECONDS_PER_HOUR)]}:${TWO_DIGITS[Math.floor(seconds / 60) % 60]}`;
    return `${this.textDate} ${clock}:${TWO_DIGITS[seconds % 60]} ${this.textZone}`;
  }

  private midnight(dayNumber: number): number {
    const utc = dayNumber * MS_PER_DAY;
    const guess = utc - this.lookUp(utc) * MS_PER_MINUTE;
    return utc - this.lookUp(guess) * MS_PER_MINUTE;
  }

  // Two lookups, one at each end of the UTC day, determine the offset of all quarter hours unless the clocks change.
  private sameAllDay(ms: number): number | undefined {
    const day = Math.floor(ms / MS_PER_DAY);
    const first = this.lookUp(day * MS_PER_DAY);
    const last = this.lookUp((day + 1) * MS_PER_DAY);
    if (first !== last) return undefined;
    for (let quarter = day * 96; quarter < (day + 1) * 96; quarter++) this.offsets.set(quarter, first);
    return first;
  }

  private lookUp(ms: number): number {
    const name = this.format.formatToParts(ms).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
    const match = /^GMT([+-])(\d\d):(\d\d)$/.exec(name);
    if (!match) return 0;
    const distance = Number(match[2]) * 60 + Number(match[3]);
    return match[1] === '-' ? -distance : distance;
  }
}
