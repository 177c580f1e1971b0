/** The 1440 minutes of a local day as bits, minute 0 first: the highest bit of the first byte. */
export type MinuteBits = Uint8Array;

const MINUTES = 1440;
const BYTES = MINUTES / 8;
const LENGTH_PREFIX = 4;

export function noMinutes(): MinuteBits {
  return new Uint8Array(BYTES);
}

/** Reads what `bit_send` gives for a `bit(1440)`: its length, then the bits. Null means no minute. */
export function minuteBits(sent: Uint8Array | null): MinuteBits {
  return sent === null ? noMinutes() : sent.subarray(LENGTH_PREFIX);
}

// Loops instead of map(): a year unites and cuts thousands of days, and a call for each byte costs three times as much.
export function union(a: MinuteBits, b: MinuteBits): MinuteBits {
  const bits = new Uint8Array(a.length);
  for (let at = 0; at < bits.length; at++) bits[at] = (a[at] ?? 0) | (b[at] ?? 0);
  return bits;
}

export function without(a: MinuteBits, b: MinuteBits): MinuteBits {
  const bits = new Uint8Array(a.length);
  for (let at = 0; at < bits.length; at++) bits[at] = (a[at] ?? 0) & ~(b[at] ?? 0);
  return bits;
}

/** Bits set in each value of a byte. */
const BITS_OF_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

export function countMinutes(bits: MinuteBits): number {
  let count = 0;
  for (let at = 0; at < bits.length; at++) count += BITS_OF_BYTE[bits[at] ?? 0] ?? 0;
  return count;
}

/** Sets the minutes that are wholly or in part in `[from, before)`, both counted in minutes from the day's midnight. */
export function setMinutes(bits: MinuteBits, from: number, before: number): void {
  const last = Math.min(MINUTES, Math.ceil(before));
  for (let minute = Math.max(0, Math.floor(from)); minute < last; minute++) {
    bits[minute >> 3] = (bits[minute >> 3] ?? 0) | (0x80 >> (minute & 7));
  }
}
