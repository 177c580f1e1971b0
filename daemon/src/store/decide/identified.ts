import { isWithoutId } from '@healthd/model';
import { fillUnknown, type SampleKey, type SampleRows, sampleKeyOf } from '../facts/samples/sample-rows.js';
import { isReading, type WorkoutReadings } from './workout-readings.js';

/** What is to become of a row of the batch. `rejected`: its instant has as many samples as there may be. */
export const FATE = {
  insert: 0,
  unchanged: 1,
  updated: 2,
  duplicate: 3,
  superseded: 4,
  archived: 5,
  rejected: 6,
} as const;

/** A stored sample that a row of the batch takes the place of. */
export interface ReplacedSample {
  row: number;
  /** What the table held; NO_OFFSET for no offset. */
  oldStartMs: number;
  oldSlot: number;
  oldOffsetMinutes: number;
  /** False where only the slot changes, so that no roll-up does. */
  isStale: boolean;
}

/** A stored sample of a row's series, source and kind that goes, because the row, or what is beside it, says more. */
interface RemovedSample {
  row: number;
  startMs: number;
  slot: number;
  /** NO_OFFSET for none. */
  offsetMinutes: number;
}

/** A stored sample that goes, because a replaced window lacks it, or the batch lacks it and its workout. */
interface DroppedSample extends SampleKey {
  kind: number;
  /** NO_OFFSET for none. */
  offsetMinutes: number;
}

/** Facts that decide what becomes of the rows. */
export interface IdentityFacts {
  /** The batch is part of a file that takes the place of those before it. */
  replacesFiles: boolean;
  /** The batch is older than what is stored and changes nothing of it. */
  keepStored: boolean;
  /** Stored samples may be removed if the batch lacks them, so those that it holds must be known. */
  mayRemove: boolean;
  /** Tells samples that were measured during a workout, and go with it. */
  readings: WorkoutReadings | undefined;
}

/**
 * Samples that a batch may look at to find out whether others are the sum of them: far more than real ones need, so that
 * samples which overlap all day cannot be compared all with all.
 */
const PARTS_LOOKED_AT = { ofBatch: 1_000_000, ofRow: 64 } as const;

/** What was decided about the rows of a batch, as data that a thread can return. */
export interface SampleDecision {
  rows: SampleRows;
  fates: Uint8Array;
  replaced: ReplacedSample[];
  removed: RemovedSample[];
  /** Stored samples that replaced windows of the batch lack, and those that go with a workout. */
  dropped: DroppedSample[];
  droppedKeys: Set<string>;
  /** Keys of stored samples that rows of the batch are; only recorded where something stored may be removed. */
  met: Set<string> | undefined;
  facts: IdentityFacts;
  /** Samples that the batch may still look at to find the parts of others. */
  partsLeft: number;
}

/**
 * What the rows of a batch are to the table. Of a row that takes the place of a stored one the columns are those that will
 * be stored: what is unknown has been filled from there, and every row that stays has its slot.
 */
export class Identified {
  readonly rows: SampleRows;
  readonly fates: Uint8Array;

  constructor(readonly decision: SampleDecision) {
    this.rows = decision.rows;
    this.fates = decision.fates;
  }

  /** Nothing is decided yet. */
  static of(rows: SampleRows, facts: IdentityFacts): Identified {
    return new Identified({
      rows,
      fates: new Uint8Array(rows.length),
      replaced: [],
      removed: [],
      dropped: [],
      droppedKeys: new Set(),
      met: facts.replacesFiles || facts.mayRemove ? new Set() : undefined,
      facts,
      partsLeft: PARTS_LOOKED_AT.ofBatch + PARTS_LOOKED_AT.ofRow * rows.length,
    });
  }

  /** True for a sample that was measured during a workout and goes with it. */
  isOfWorkout(rows: SampleRows, at: number): boolean {
    return isReading(this.decision.facts.readings, rows, at);
  }

  fateOf(row: number): number {
    return this.fates[row] as number;
  }

  set(row: number, fate: keyof typeof FATE): void {
    this.fates[row] = FATE[fate];
  }

  /** Counts a look at a sample that may be a part of another one; false once there were too many. */
  mayLookAtPart(): boolean {
    this.decision.partsLeft--;
    return this.decision.partsLeft >= 0;
  }

  /** How many rows came to each fate. */
  counts(): Record<keyof typeof FATE, number> {
    const rows = new Uint32Array(Object.keys(FATE).length);
    for (let row = 0; row < this.fates.length; row++) rows[this.fates[row] as number]!++;
    const of = (fate: keyof typeof FATE) => rows[FATE[fate]] as number;
    return {
      insert: of('insert'),
      unchanged: of('unchanged'),
      updated: of('updated'),
      duplicate: of('duplicate'),
      superseded: of('superseded'),
      archived: of('archived'),
      rejected: of('rejected'),
    };
  }

  /** True if a stored sample is sure to stay: what files brought goes where the one that replaces them lacks it. */
  stays(stored: SampleRows, at: number): boolean {
    const { droppedKeys } = this.decision;
    if (droppedKeys.size > 0 && droppedKeys.has(keyOf(stored, at))) return false;
    return !this.decision.facts.replacesFiles || !isWithoutId(stored.slot[at] as number) || this.hasMet(stored, at);
  }

  /** Whether a stored sample is in the batch. */
  hasMet(stored: SampleRows, at: number): boolean {
    return this.decision.met?.has(keyOf(stored, at)) === true;
  }

  /** Drops a stored sample that the batch lacks. A sample may be found twice. */
  drop(stored: SampleRows, at: number): void {
    const { dropped, droppedKeys } = this.decision;
    const key = keyOf(stored, at);
    if (droppedKeys.has(key)) return;
    droppedKeys.add(key);
    const kind = stored.kind[at] as number;
    dropped.push({ ...sampleKeyOf(stored, at), kind, offsetMinutes: stored.offsetMinutes[at] as number });
  }

  /** True if the batch has decided about a stored sample: it holds it, or its windows lack it. */
  isSettled(stored: SampleRows, at: number): boolean {
    return this.hasMet(stored, at) || this.decision.droppedKeys.has(keyOf(stored, at));
  }

  /** Notes that a stored sample is in the batch. */
  meet(stored: SampleRows, at: number): void {
    this.decision.met?.add(keyOf(stored, at));
  }

  /**
   * Puts a row in the place of a stored sample, or finds that nothing changes.
   * @param row its slot is the one that it will have
   * @param isSame the stored sample says the same already: taking its place counts as no update
   */
  replace(row: number, stored: SampleRows, at: number, isSame = false): void {
    const { rows } = this;
    this.meet(stored, at);
    if (this.decision.facts.keepStored) {
      this.set(row, 'unchanged');
      return;
    }
    const oldStartMs = stored.startMs[at] as number;
    const oldOffsetMinutes = stored.offsetMinutes[at] as number;
    fillUnknown(rows, row, stored, at);
    const isOtherClock = rows.offsetMinutes[row] !== oldOffsetMinutes;
    const isStale =
      isOtherClock ||
      rows.startMs[row] !== oldStartMs ||
      rows.value[row] !== stored.value[at] ||
      !Object.is(rows.durationMs[row], stored.durationMs[at]);
    const isUpdate = isSame ? isOtherClock : isStale;
    this.set(row, isUpdate ? 'updated' : 'unchanged');
    const oldSlot = stored.slot[at] as number;
    if (!isStale && rows.slot[row] === oldSlot) return;
    this.decision.replaced.push({ row, oldStartMs, oldSlot, oldOffsetMinutes, isStale });
  }

  /** Notes a stored sample that goes beside the one which a row takes the place of. */
  remove(row: number, stored: SampleRows, at: number): void {
    this.meet(stored, at);
    if (!this.decision.facts.keepStored) this.supersede(row, stored, at);
  }

  /** Notes a stored sample that a row and others say in more detail: it goes, or all of them would count. */
  supersede(row: number, stored: SampleRows, at: number): void {
    this.decision.removed.push({
      row,
      startMs: stored.startMs[at] as number,
      slot: stored.slot[at] as number,
      offsetMinutes: stored.offsetMinutes[at] as number,
    });
  }

  /** Leaves a stored sample as it is, but for an offset that only the row knows, or knows otherwise. */
  keep(row: number, stored: SampleRows, at: number): void {
    const { rows } = this;
    rows.startMs[row] = stored.startMs[at] as number;
    rows.durationMs[row] = stored.durationMs[at] as number;
    rows.value[row] = stored.value[at] as number;
    rows.slot[row] = stored.slot[at] as number;
    this.replace(row, stored, at);
  }
}

/** The key of a sample of one user as a text. */
function keyOf(rows: SampleRows, at: number): string {
  return `${rows.typeId[at]} ${rows.startMs[at]} ${rows.sourceId[at]} ${rows.slot[at]}`;
}
