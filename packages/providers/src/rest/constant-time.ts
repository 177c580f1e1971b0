import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Key for hashing both sides before the comparison, so that its time depends on neither length nor content. */
const KEY = randomBytes(32);

/** Compares two texts or byte sequences in constant time. */
export function isSame(sent: string | Buffer, own: string | Buffer): boolean {
  return timingSafeEqual(digest(sent), digest(own));
}

function digest(text: string | Buffer): Buffer {
  return createHmac('sha256', KEY).update(text).digest();
}
