import { decodeText } from './references.js';

/** A text that occurs over and over, decoded once. Equal texts are the same object as long as the cache keeps them. */
export interface Interned {
  readonly text: string;
  /** The bytes as they are in the file, references unresolved. */
  readonly bytes: Buffer;
}

/** Far more than an honest export has of device strings; a file that makes up new ones only loses the saving. */
const MAX_ENTRIES = 8192;
/** Texts with one hash. Chance never makes so many; texts made up to collide are forgotten instead of searched. */
const MAX_BUCKET = 16;

/** Finds the decoded form of bytes that were seen before, without making a string. */
export class Interner {
  private buckets = new Map<number, Interned[]>();
  private size = 0;

  intern(buffer: Buffer, start: number, end: number): Interned {
    const hash = hashOf(buffer, start, end);
    const bucket = this.buckets.get(hash);
    if (bucket !== undefined) {
      for (const entry of bucket) if (sameBytes(buffer, start, end, entry.bytes)) return entry;
    }
    const bytes = Buffer.from(buffer.subarray(start, end));
    const entry = { text: decodeText(bytes.toString('utf8')), bytes };
    if (this.size >= MAX_ENTRIES) {
      this.buckets.clear();
      this.size = 0;
    }
    this.size++;
    const kept = this.buckets.get(hash);
    if (kept === undefined || kept.length >= MAX_BUCKET) this.buckets.set(hash, [entry]);
    else kept.push(entry);
    return entry;
  }
}

/** True when the bytes from `start` to `end` are those of `other`. */
export function sameBytes(buffer: Buffer, start: number, end: number, other: Buffer): boolean {
  const length = end - start;
  if (length !== other.length) return false;
  for (let i = length - 1; i >= 0; i--) if (buffer[start + i] !== other[i]) return false;
  return true;
}

function hashOf(buffer: Buffer, start: number, end: number): number {
  let hash = end - start;
  for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + buffer[i]!) | 0;
  return hash;
}
