import { SAMPLE_KIND_CODE, SLOT_HAS_ID_BIT, SLOT_HASH_BITS, slotOfId } from '@healthd/model';

/** Represents the missing id of a pushed sample. */
export const WITHOUT_ID = -1;

/** Represents the missing parent of an item. */
const NO_PARENT = Number.NaN;

/** A stored item that a phone pushed. */
export interface PushedItem {
  /** Hash of the id from `pushedIdHash`; undefined for a sample without an id. */
  id: number | undefined;
  /** Id of the session that a stage belongs to, or of a sample's parent. */
  parent: number | undefined;
  startMs: number;
  sourceId: number;
  /** Slot of a sample; 0 for stages and workouts. */
  slot: number;
  /** Series, `SLEEP_ITEM` or `WORKOUT_ITEM`. */
  typeId: number;
}

/** Pushed items in one array per field, because a push may contain thousands. */
export class PushedItems {
  length = 0;

  readonly id: Float64Array;
  readonly parent: Float64Array;
  readonly startMs: Float64Array;
  readonly sourceId: Int32Array;
  readonly slot: Int32Array;
  readonly typeId: Int16Array;

  /** @param capacity maximum number of items */
  constructor(capacity: number) {
    this.id = new Float64Array(capacity);
    this.parent = new Float64Array(capacity);
    this.startMs = new Float64Array(capacity);
    this.sourceId = new Int32Array(capacity);
    this.slot = new Int32Array(capacity);
    this.typeId = new Int16Array(capacity);
  }

  static of(items: readonly PushedItem[]): PushedItems {
    const all = new PushedItems(items.length);
    for (const item of items) all.add(item);
    return all;
  }

  add({ id = WITHOUT_ID, parent = NO_PARENT, startMs, sourceId, slot, typeId }: PushedItem): void {
    const at = this.length++;
    this.id[at] = id;
    this.parent[at] = parent;
    this.startMs[at] = startMs;
    this.sourceId[at] = sourceId;
    this.slot[at] = slot;
    this.typeId[at] = typeId;
  }
}

/** Value of `sample.pushed` for samples that no phone pushed. */
export const NOT_PUSHED = -1;

/** Number of phones that fit into `sample.pushed`. */
const PHONES_IN_ROWS = 64;

/**
 * Returns `sample.pushed` for a sample that a phone pushed; undefined if the phone's number does not fit.
 * @param high `highHashOfId` of the item's id; 0 for a sample without an id
 */
export function pushedColumnOf(device: number, high: number): number | undefined {
  return device < PHONES_IN_ROWS ? high * PHONES_IN_ROWS + device : undefined;
}

/** SQL for the phone's number of a row of `sample`. */
export const DEVICE_OF_ROW = `s.pushed & ${PHONES_IN_ROWS - 1}`;

/** SQL for the id hash of a row of `sample`, in the form of `pushed_sample.id_hash`. */
export const ID_OF_ROW = `case when s.slot & ${SLOT_HAS_ID_BIT} = 0 then ${WITHOUT_ID}
  else (s.pushed / ${PHONES_IN_ROWS})::bigint * ${SLOT_HASH_BITS + 1} + (s.slot & ${SLOT_HASH_BITS}) end`;

/** SQL for the possible slots of a sample with the id `given.id_hash`, one row per slot. */
export const SLOTS_OF_GIVEN_ID = `unnest(array[${Object.values(SAMPLE_KIND_CODE)
  .map((kind) => `(given.id_hash & ${SLOT_HASH_BITS})::int | ${slotOfId(kind, 0)}`)
  .join(', ')}]) as possible (slot)`;

/**
 * SQL condition that a row of `sample` in one of these slots belongs to the user `$1` and has the id. Only the index
 * `sample_pushed` supports this condition. It finds the rows quickly even if thousands of ids share a slot.
 */
export const HAS_GIVEN_ID = `s.user_key + 0 = $1 and s.slot = possible.slot and s.pushed
  between (given.id_hash / ${SLOT_HASH_BITS + 1} * ${PHONES_IN_ROWS})::int
      and (given.id_hash / ${SLOT_HASH_BITS + 1} * ${PHONES_IN_ROWS} + ${PHONES_IN_ROWS - 1})::int`;

/** The samples that a phone pushed in one batch. */
export interface PushedSamples {
  /** Values of `sample.pushed`, parallel to the batch's rows; undefined if the batch has no pushed samples. */
  inRows: Int32Array | undefined;
  /** Samples whose ids are stored in separate rows. */
  listed: PushedItems;
}
