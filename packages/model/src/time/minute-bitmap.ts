import { MINUTES_PER_DAY, MS_PER_MINUTE } from './units.js';

const BYTES = MINUTES_PER_DAY / 8;
/** Bytes of the length that `bit_send` writes before the bits. */
const LENGTH_PREFIX = 4;
const DIGIT_ONE = '1'.charCodeAt(0);
/** Text and number of set bits for each byte value. */
const TEXT_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(2).padStart(8, '0'));
const BITS_OF_BYTE = Uint8Array.from(TEXT_OF_BYTE, (text) => text.replaceAll('0', '').length);

/**
 * Minutes of one day as bits. Minute 0 is the highest bit of the first byte, as in Postgres `bit(1440)`. Uses loops
 * instead of map(), because a year combines thousands of days and a call per byte costs three times as much.
 */
export class MinuteBitmap {
  /** @param bytes 180 bytes, modified in place */
  constructor(readonly bytes: Uint8Array = new Uint8Array(BYTES)) {}

  /** Copies the output of Postgres `bit_send` for a `bit(1440)`; null means no minutes. */
  static sent(bits: Uint8Array | null): MinuteBitmap {
    return bits === null ? new MinuteBitmap() : new MinuteBitmap(new Uint8Array(bits.subarray(LENGTH_PREFIX)));
  }

  /**
   * Replaces all minutes with a text of 1440 characters: `1` sets a minute, `0` clears it. Undefined clears all
   * minutes.
   */
  setText(text: string | undefined): void {
    this.bytes.fill(0);
    if (text === undefined) return;
    for (let minute = 0; minute < MINUTES_PER_DAY; minute++)
      if (text.charCodeAt(minute) === DIGIT_ONE) this.cover(minute);
  }

  /** 1440 characters `0` or `1`. */
  toText(): string {
    let text = '';
    for (let at = 0; at < BYTES; at++) text += TEXT_OF_BYTE[this.bytes[at] as number] as string;
    return text;
  }

  /** Covers the minutes that [from, before) touches, in minutes from midnight. Minutes outside the day are ignored. */
  add(from: number, before: number): void {
    const end = Math.min(MINUTES_PER_DAY, Math.ceil(before));
    let minute = Math.max(0, Math.floor(from));
    for (; minute < end && (minute & 7) !== 0; minute++) this.cover(minute);
    if (minute + 8 <= end) {
      // Sets whole bytes at once, because thousands of samples of a day may cover all of it.
      this.bytes.fill(0xff, minute >> 3, end >> 3);
      minute = end & ~7;
    }
    for (; minute < end; minute++) this.cover(minute);
  }

  /** Covers the minutes that [startMs, endMs) touches, counted from midnight. An instant covers its minute. */
  addInterval(startMs: number, endMs: number): void {
    const first = Math.floor(startMs / MS_PER_MINUTE);
    this.add(first, Math.max(first + 1, Math.ceil(endMs / MS_PER_MINUTE)));
  }

  /** Clears the minutes that [from, before) touches. */
  remove(from: number, before: number): void {
    const end = Math.min(MINUTES_PER_DAY, Math.ceil(before));
    for (let minute = Math.max(0, Math.floor(from)); minute < end; minute++) {
      this.bytes[minute >> 3] = (this.bytes[minute >> 3] as number) & ~(0x80 >> (minute & 7));
    }
  }

  /** @param minute whole minute of the day */
  has(minute: number): boolean {
    return ((this.bytes[minute >> 3] as number) & (0x80 >> (minute & 7))) !== 0;
  }

  /** Number of covered minutes. */
  count(): number {
    let count = 0;
    for (let at = 0; at < BYTES; at++) count += BITS_OF_BYTE[this.bytes[at] as number] as number;
    return count;
  }

  /** Returns the minutes that either bitmap covers. */
  union(other: MinuteBitmap): MinuteBitmap {
    const both = new MinuteBitmap();
    for (let at = 0; at < BYTES; at++) both.bytes[at] = (this.bytes[at] as number) | (other.bytes[at] as number);
    return both;
  }

  /** Returns the minutes that this bitmap covers and the other does not. */
  without(other: MinuteBitmap): MinuteBitmap {
    const rest = new MinuteBitmap();
    for (let at = 0; at < BYTES; at++) rest.bytes[at] = (this.bytes[at] as number) & ~(other.bytes[at] as number);
    return rest;
  }

  /** Returns runs of covered minutes, ascending; `before` is exclusive. */
  runs(): [from: number, before: number][] {
    const runs: [number, number][] = [];
    for (let minute = 0; minute < MINUTES_PER_DAY; minute++) {
      if (!this.has(minute)) continue;
      const from = minute;
      while (minute < MINUTES_PER_DAY && this.has(minute)) minute++;
      runs.push([from, minute]);
    }
    return runs;
  }

  private cover(minute: number): void {
    this.bytes[minute >> 3] = (this.bytes[minute >> 3] as number) | (0x80 >> (minute & 7));
  }
}
