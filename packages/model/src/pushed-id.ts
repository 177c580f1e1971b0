import { hashOfId } from './sample-slot.js';

/** Deletions that one push may hold. Those above it are rejected, so that the client sends them in another batch. */
export const MAX_PUSHED_DELETIONS = 10_000;

/** Longest range that a phone may delete. */
export const MAX_DELETED_RANGE_DAYS = 31;

/** 25 further bits of an id beside {@link hashOfId}, so that two ids of a user are never taken for one. */
export function highHashOfId(id: string): number {
  let hash = 0x9747b28c;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x5bd1e995) ^ (hash >>> 15);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 7;
}

/** What the part of {@link highHashOfId} counts: {@link hashOfId} has 28 bits. */
const HIGH_UNIT = 2 ** 28;

/** 53 bits of the id of a pushed item. */
export function pushedIdHash(id: string): number {
  return joinedIdHash(highHashOfId(id), hashOfId(id));
}

/** {@link pushedIdHash} as the database answers it: it keeps it as bigint. */
export function pushedIdKey(id: string): string {
  return String(pushedIdHash(id));
}

/** {@link pushedIdHash} of its two parts. */
export function joinedIdHash(high: number, low: number): number {
  return high * HIGH_UNIT + low;
}
