/** Stands for the id of a pushed sample that has none. */
export const WITHOUT_ID = -1;

/** Stands for the parent of an item that has none. */
export const NO_PARENT = Number.NaN;

/** A stored item that a phone pushed. */
export interface PushedItem {
  /** As `pushedIdHash` gives it; undefined for a sample without an id. */
  id: number | undefined;
  /** Id of the session that a stage belongs to, or of a sample's parent. */
  parent: number | undefined;
  startMs: number;
  sourceId: number;
  /** 0 for stages and workouts. */
  slot: number;
  /** Series, `SLEEP_ITEM` or `WORKOUT_ITEM`. */
  typeId: number;
}

/** Pushed items side by side, because a push may bring thousands. */
export class PushedItems {
  length = 0;

  readonly id: Float64Array;
  readonly parent: Float64Array;
  readonly startMs: Float64Array;
  readonly sourceId: Int32Array;
  readonly slot: Int32Array;
  readonly typeId: Int16Array;

  /** @param capacity how many there may be */
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

/** The items that a phone pushed in one batch. */
export interface PushedList {
  /** Samples that the batch inserted. */
  inserted: PushedItems;
  /** Samples that were stored before. */
  stored: PushedItems;
  /** Stages and workouts. */
  records: PushedItems;
}
