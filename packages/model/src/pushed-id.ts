import { hashOfId } from './sample-slot.js';

/**
 * Maximum number of deletions in one push. Further deletions are rejected, so that the client sends them in another
 * batch.
 */
export const MAX_PUSHED_DELETIONS = 10_000;

/** Longest range that a phone may delete. */
export const MAX_DELETED_RANGE_DAYS = 31;

/**
 * Returns 25 bits of an id in addition to the 28 bits of {@link hashOfId}. With all 53 bits, collisions between two ids
 * of one user are negligible.
 */
export function highHashOfId(id: string): number {
  let hash = 0x9747b28c;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x5bd1e995) ^ (hash >>> 15);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 7;
}

/** Place value of {@link highHashOfId}: {@link hashOfId} has 28 bits. */
const HIGH_UNIT = 2 ** 28;

/** Returns 53 bits of a pushed item's id. */
export function pushedIdHash(id: string): number {
  return joinedIdHash(highHashOfId(id), hashOfId(id));
}

/** Returns the {@link pushedIdHash} as the database returns a bigint: decimal text. */
export function pushedIdKey(id: string): string {
  return String(pushedIdHash(id));
}

/** Returns the {@link pushedIdHash} of its two parts. */
export function joinedIdHash(high: number, low: number): number {
  return high * HIGH_UNIT + low;
}
