import { MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';

const DASH = 0x2d;
const PLUS = 0x2b;
const SPACE = 0x20;
const COLON = 0x3a;

/**
 * Parses the export's two date formats from its bytes: `2024-03-31 08:05:09 +0200` and, from iOS 8,
 * `20140331080509-0700`. The members contain the result of the last {@link read}.
 */
export class InstantReader {
  /** Milliseconds since 1970 UTC; NaN if the text is not a date. */
  ms = Number.NaN;
  offsetMinutes = 0;
  private lastDate = -1;
  private lastDateMs = Number.NaN;

  /** @returns true if the bytes are an existing date */
  read(bytes: Uint8Array, start: number, end: number): boolean {
    this.ms = Number.NaN;
    const length = end - start;
    if (length === 25) return this.readSpaced(bytes, start);
    if (length === 19) return this.readCompact(bytes, start);
    return false;
  }

  private readSpaced(b: Uint8Array, s: number): boolean {
    if (b[s + 4] !== DASH || b[s + 7] !== DASH || b[s + 10] !== SPACE || b[s + 19] !== SPACE) return false;
    if (b[s + 13] !== COLON || b[s + 16] !== COLON) return false;
    const year = two(b, s) * 100 + two(b, s + 2);
    const time = clock(two(b, s + 11), two(b, s + 14), two(b, s + 17));
    return this.finish(year, two(b, s + 5), two(b, s + 8), time, b, s + 20);
  }

  private readCompact(b: Uint8Array, s: number): boolean {
    const year = two(b, s) * 100 + two(b, s + 2);
    const time = clock(two(b, s + 8), two(b, s + 10), two(b, s + 12));
    return this.finish(year, two(b, s + 4), two(b, s + 6), time, b, s + 14);
  }

  private finish(year: number, month: number, day: number, timeMs: number, b: Uint8Array, zoneAt: number): boolean {
    const sign = b[zoneAt] === PLUS ? 1 : b[zoneAt] === DASH ? -1 : Number.NaN;
    const zoneHours = two(b, zoneAt + 1);
    const zoneMinutes = two(b, zoneAt + 3);
    if (!(zoneHours <= 18 && zoneMinutes <= 59)) return false;
    const offset = sign * (zoneHours * 60 + zoneMinutes);
    const ms = this.dateMs(year, month, day) + timeMs - offset * MS_PER_MINUTE;
    if (Number.isNaN(ms)) return false;
    this.offsetMinutes = offset === 0 ? 0 : offset;
    this.ms = ms;
    return true;
  }

  // Caches the last date, because records are sorted by time and a date usually repeats.
  private dateMs(year: number, month: number, day: number): number {
    const key = year * 10_000 + month * 100 + day;
    if (key === this.lastDate) return this.lastDateMs;
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
    this.lastDate = key;
    this.lastDateMs = exists ? Math.floor(date.getTime() / MS_PER_DAY) * MS_PER_DAY : Number.NaN;
    return this.lastDateMs;
  }
}

/** Parses a date of the export; undefined if the text is not such a date. */
export function parseInstant(text: string): { ms: number; offsetMinutes: number } | undefined {
  const reader = new InstantReader();
  const bytes = Buffer.from(text, 'latin1');
  return reader.read(bytes, 0, bytes.length) ? { ms: reader.ms, offsetMinutes: reader.offsetMinutes } : undefined;
}

function clock(hours: number, minutes: number, seconds: number): number {
  return hours <= 23 && minutes <= 59 && seconds <= 59 ? ((hours * 60 + minutes) * 60 + seconds) * 1000 : Number.NaN;
}

function two(b: Uint8Array, at: number): number {
  const high = b[at]! - 0x30;
  const low = b[at + 1]! - 0x30;
  return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high * 10 + low : Number.NaN;
}
