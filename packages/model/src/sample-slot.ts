/**
 * The slot of a sample: what distinguishes samples of one series, source and instant, as a whole number of 31 bits. The
 * kind is in the top bits, so that slots are in the order of kinds; then a bit for samples that have an id; then the
 * hash of the id, or for samples without one their number among those of the same instant.
 */
const KIND_SHIFT = 29;
const HAS_ID = 1 << 28;
/** Of samples that were stored without an id before ids were stored: whether they had one is unknown. */
const OF_UNKNOWN_ID = 1 << 27;
const HASH_MASK = HAS_ID - 1;

/** Stands for the hash of an id where a sample has none. */
export const NO_ID = -1;

/** How far a slot is shifted right to give the kind, for SQL. */
export const SLOT_KIND_SHIFT = KIND_SHIFT;

/** The slot of a sample with an id. @param hash see {@link hashOfId} */
export function slotOfId(kindCode: number, hash: number): number {
  return (kindCode << KIND_SHIFT) | HAS_ID | hash;
}

/** The slot of a sample without an id. @param ordinal from 0 */
export function slotOfOrdinal(kindCode: number, ordinal: number): number {
  return (kindCode << KIND_SHIFT) | ordinal;
}

/** The slot that the migration gave to samples of which it is not known whether they had an id. */
export function slotOfUnknownId(kindCode: number): number {
  return (kindCode << KIND_SHIFT) | OF_UNKNOWN_ID;
}

/** One of the values of `SAMPLE_KIND_CODE`. */
export function kindOfSlot(slot: number): number {
  return slot >>> KIND_SHIFT;
}

export function hasId(slot: number): boolean {
  return (slot & HAS_ID) !== 0;
}

/** What {@link slotOfId} was given; {@link NO_ID} for the slot of a sample without a known id. */
export function hashOfSlot(slot: number): number {
  return hasId(slot) ? slot & HASH_MASK : NO_ID;
}

/** Whether the slot is that of a sample which may have had an id, see {@link slotOfUnknownId}. */
export function isOfUnknownId(slot: number): boolean {
  return (slot & HAS_ID) === 0 && (slot & OF_UNKNOWN_ID) !== 0;
}

/** Marks a slot without an id as {@link isOfUnknownId}; for SQL. */
export const SLOT_UNKNOWN_ID_BIT = OF_UNKNOWN_ID;

/** The bit of a slot that is set where a sample has an id, and the bits of that id's hash; for SQL. */
export const SLOT_HAS_ID_BIT = HAS_ID;
export const SLOT_HASH_BITS = HASH_MASK;

/** Bits of a slot, one of which is set in every sample that has an id or may have had one; for SQL. */
export const SLOT_ID_BITS = HAS_ID | OF_UNKNOWN_ID;

/** Readings (of kind `sample`) that are known to have no id are those with slots below this; for SQL that an index serves. */
export const SLOTS_WITHOUT_ID = OF_UNKNOWN_ID;

/** Whether the sample is known to have no id, as what only files brought. */
export function isWithoutId(slot: number): boolean {
  return (slot & SLOT_ID_BITS) === 0;
}

/** 28 bits of an id: FNV-1a over its UTF-16 units, mixed so that ids which differ in few characters differ everywhere. */
export function hashOfId(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & HASH_MASK;
}
