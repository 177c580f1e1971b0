import { readDecimal } from './decimal.js';
import type { BeatList } from './element.js';
import { sameBytes } from './intern.js';
import type { TagReader } from './tag.js';

const BPM = Buffer.from('bpm');
const TIME = Buffer.from('time');
const HALF_DAY_HOURS = 12;

/** Adds the beat of an `InstantaneousBeatsPerMinute` tag. Only counts beats above the list's limit. */
export function addBeat(beats: BeatList, buffer: Buffer, { spans, attributeCount }: TagReader): void {
  const at = beats.length++;
  if (at >= beats.bpm.length) return;
  beats.bpm[at] = Number.NaN;
  beats.timeMs[at] = Number.NaN;
  for (let i = 0; i < attributeCount * 4; i += 4) {
    const [name, nameEnd] = [spans[i]!, spans[i + 1]!];
    const [start, end] = [spans[i + 2]!, spans[i + 3]!];
    if (sameBytes(buffer, name, nameEnd, BPM)) beats.bpm[at] = readDecimal(buffer, start, end);
    else if (sameBytes(buffer, name, nameEnd, TIME)) beats.timeMs[at] = readTime(buffer, start, end);
  }
}

/**
 * Reads a time of day, whose form depends on the phone's language: `6:14:48.94 PM`, `08:33:44,67`. Reads hours, minutes,
 * seconds and a fraction from the digits. Ignores the half of the day, because only differences count.
 * @returns milliseconds since noon or midnight; NaN without a fraction, and for digits of other scripts
 */
function readTime(buffer: Buffer, start: number, end: number): number {
  let parts = 0;
  let digits = 0;
  let ms = 0;
  let number = 0;
  for (let at = start; at <= end; at++) {
    const digit = at < end ? buffer[at]! - 0x30 : -1;
    if (digit >= 0 && digit <= 9) {
      number = number * 10 + digit;
      digits++;
      continue;
    }
    if (digits === 0) continue;
    if (parts === 0) ms = (number % HALF_DAY_HOURS) * 3_600_000;
    else if (parts === 1) ms += number * 60_000;
    else if (parts === 2) ms += number * 1_000;
    else if (parts === 3) ms += number * 10 ** (3 - digits);
    parts++;
    number = 0;
    digits = 0;
  }
  return parts === 4 ? ms : Number.NaN;
}
