/**
 * Slot of a sample: a 31-bit integer that distinguishes samples of one series, source and instant. The top bits contain
 * the type, so slots sort by type. The next bit is set for samples with an id. The other bits contain the id's hash, or
 * the ordinal among the samples of that instant without an id.
 */
const KIND_SHIFT = 29;
const HAS_ID = 1 << 28;
/** Marks samples that an older version stored without ids. They may have had a vendor id. */
const OF_UNKNOWN_ID = 1 << 27;
const HASH_MASK = HAS_ID - 1;

/** Value in place of the id's hash for samples without an id. */
export const NO_ID = -1;

/** Number of bits to shift a slot right to get its type, for SQL. */
export const SLOT_KIND_SHIFT = KIND_SHIFT;

/** Returns the slot of a sample with an id. @param hash see {@link hashOfId} */
export function slotOfId(kindCode: number, hash: number): number {
  return (kindCode << KIND_SHIFT) | HAS_ID | hash;
}

/** Returns the slot of a sample without an id. @param ordinal from 0 */
export function slotOfOrdinal(kindCode: number, ordinal: number): number {
  return (kindCode << KIND_SHIFT) | ordinal;
}

/** Returns the slot that the migration assigned to samples that may have had an id. */
export function slotOfUnknownId(kindCode: number): number {
  return (kindCode << KIND_SHIFT) | OF_UNKNOWN_ID;
}

/** Returns one of the values of `SAMPLE_KIND_CODE`. */
export function kindOfSlot(slot: number): number {
  return slot >>> KIND_SHIFT;
}

export function hasId(slot: number): boolean {
  return (slot & HAS_ID) !== 0;
}

/** Returns the hash passed to {@link slotOfId}; {@link NO_ID} for a sample without a known id. */
export function hashOfSlot(slot: number): number {
  return hasId(slot) ? slot & HASH_MASK : NO_ID;
}

/** True if the sample in this slot may have had a vendor id, see {@link slotOfUnknownId}. */
export function isOfUnknownId(slot: number): boolean {
  return (slot & HAS_ID) === 0 && (slot & OF_UNKNOWN_ID) !== 0;
}

/** Bit that marks a slot as {@link isOfUnknownId}; for SQL. */
export const SLOT_UNKNOWN_ID_BIT = OF_UNKNOWN_ID;

/** Bit of a slot that is set for samples with an id; for SQL. */
export const SLOT_HAS_ID_BIT = HAS_ID;
export const SLOT_HASH_BITS = HASH_MASK;

/** Bits of a slot. At least one bit is set if the sample has or may have had an id; for SQL. */
export const SLOT_ID_BITS = HAS_ID | OF_UNKNOWN_ID;

/** Upper bound, exclusive, of the slots of readings (type `sample`) that certainly have no id; for indexed SQL. */
export const SLOTS_WITHOUT_ID = OF_UNKNOWN_ID;

/** True if the sample certainly has no id, like samples from files. */
export function isWithoutId(slot: number): boolean {
  return (slot & SLOT_ID_BITS) === 0;
}

/** Returns 28 bits of an id: FNV-1a over its UTF-16 units, mixed so that similar ids differ in all bits. */
export function hashOfId(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & HASH_MASK;
}
