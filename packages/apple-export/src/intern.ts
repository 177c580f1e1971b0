import { decodeText } from './references.js';

/** A frequent text, decoded once. Equal texts are the same object while the cache contains them. */
export interface Interned {
  readonly text: string;
  /** The raw bytes in the file, with unresolved references. */
  readonly bytes: Buffer;
}

/**
 * Maximum number of cached texts: far more device strings than a genuine export contains. At the limit, the cache is
 * cleared.
 */
const MAX_ENTRIES = 8192;
/**
 * Maximum number of cached texts with the same hash. Only deliberate collisions exceed the limit. The next text then
 * replaces these texts, so that searches stay short.
 */
const MAX_BUCKET = 16;

/** Finds the decoded text of known bytes without creating a string. */
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
    const interned = this.buckets.get(hash);
    if (interned === undefined || interned.length >= MAX_BUCKET) this.buckets.set(hash, [entry]);
    else interned.push(entry);
    return entry;
  }
}

/** True if the bytes from `start` to `end` equal `other`. */
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
