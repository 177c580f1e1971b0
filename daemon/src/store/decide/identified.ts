import { isWithoutId } from '@healthd/model';
import {
  fillUnknown,
  type SampleKey,
  type SampleRows,
  sampleKeyOf,
  withUsualShape,
} from '../facts/samples/sample-rows.js';
import { isReading, type WorkoutReadings } from './workout-readings.js';

/** Outcome of a batch row. `rejected` means that its instant already has the maximum number of samples. */
export const ROW_OUTCOME = {
  insert: 0,
  unchanged: 1,
  updated: 2,
  duplicate: 3,
  superseded: 4,
  archived: 5,
  rejected: 6,
} as const;

/** A stored sample that a batch row replaces. */
export interface ReplacedSample {
  row: number;
  oldStartMs: number;
  oldSlot: number;
  /** Stored offset; NO_OFFSET if unknown. */
  oldOffsetMinutes: number;
  /** False if only the slot changes, so the roll-ups stay valid. */
  isStale: boolean;
}

/**
 * A stored sample with the series and source of a row. It is deleted as a duplicate or in favor of more detailed
 * samples.
 */
interface RemovedSample {
  row: number;
  startMs: number;
  slot: number;
  /** Stored offset; NO_OFFSET if unknown. */
  offsetMinutes: number;
}

/**
 * A stored sample that the batch lacks. It is deleted because it lies in a replaced window, or because its workout was
 * deleted or moved.
 */
interface DroppedSample extends SampleKey {
  kind: number;
  /** Stored offset; NO_OFFSET if unknown. */
  offsetMinutes: number;
}

/** Facts that determine the rows' outcomes. */
export interface IdentityFacts {
  /** True if the batch is part of a file that replaces earlier files. */
  replacesFiles: boolean;
  /** True if the batch is older than the stored data and must not change it. */
  keepStored: boolean;
  /** True if stored samples that the batch lacks may be deleted. Matched samples must then be recorded. */
  mayRemove: boolean;
  /** Identifies samples that were measured during a workout and are deleted with it. */
  readings: WorkoutReadings | undefined;
}

/**
 * Maximum number of samples that a batch may examine to detect sums: a fixed number plus a number per row. The limit is
 * far above real needs. It prevents quadratic comparisons if samples overlap all day.
 */
const MAX_PARTS = { ofBatch: 1_000_000, ofRow: 64 } as const;

/** Decisions about a batch's rows, as data that a thread can return. */
export interface SampleDecision {
  rows: SampleRows;
  rowOutcomes: Uint8Array;
  replaced: ReplacedSample[];
  removed: RemovedSample[];
  /** Stored samples to delete because the batch lacks them. */
  dropped: DroppedSample[];
  droppedKeys: Set<string>;
  /** Keys of stored samples that match batch rows. Recorded only if stored samples may be deleted. */
  matchedKeys: Set<string> | undefined;
  facts: IdentityFacts;
  /** Number of samples that the batch may still examine to detect sums. */
  partsLeft: number;
}

/**
 * Outcomes of a batch's rows. A row that replaces a stored sample has the columns that will be stored: unknown values
 * are filled from the stored sample. Every row except duplicates and rejected rows has its slot.
 */
export class Identified {
  readonly rows: SampleRows;
  readonly rowOutcomes: Uint8Array;

  constructor(readonly decision: SampleDecision) {
    // The rows of a thread's decision are copies. All functions get rows of one object shape, so that the compiler does
    // not optimize them again for the copies.
    decision.rows = withUsualShape(decision.rows);
    this.rows = decision.rows;
    this.rowOutcomes = decision.rowOutcomes;
  }

  /** Creates a state without decisions. */
  static of(rows: SampleRows, facts: IdentityFacts): Identified {
    return new Identified({
      rows,
      rowOutcomes: new Uint8Array(rows.length),
      replaced: [],
      removed: [],
      dropped: [],
      droppedKeys: new Set(),
      matchedKeys: facts.replacesFiles || facts.mayRemove ? new Set() : undefined,
      facts,
      partsLeft: MAX_PARTS.ofBatch + MAX_PARTS.ofRow * rows.length,
    });
  }

  /** True for a sample that was measured during a workout and is deleted with it. */
  isOfWorkout(rows: SampleRows, at: number): boolean {
    return isReading(this.decision.facts.readings, rows, at);
  }

  rowOutcomeOf(row: number): number {
    return this.rowOutcomes[row] as number;
  }

  set(row: number, outcome: keyof typeof ROW_OUTCOME): void {
    this.rowOutcomes[row] = ROW_OUTCOME[outcome];
  }

  /** Counts an examined sample. Returns false once the limit is exceeded. */
  mayLookAtPart(): boolean {
    this.decision.partsLeft--;
    return this.decision.partsLeft >= 0;
  }

  /** Counts rows by outcome. */
  counts(): Record<keyof typeof ROW_OUTCOME, number> {
    const rows = new Uint32Array(Object.keys(ROW_OUTCOME).length);
    for (let row = 0; row < this.rowOutcomes.length; row++) rows[this.rowOutcomes[row] as number]!++;
    const of = (outcome: keyof typeof ROW_OUTCOME) => rows[ROW_OUTCOME[outcome]] as number;
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

  /** True if the batch certainly keeps a stored sample. A newer file deletes samples of earlier files that it lacks. */
  remainsStored(stored: SampleRows, at: number): boolean {
    const { droppedKeys } = this.decision;
    if (droppedKeys.size > 0 && droppedKeys.has(keyOf(stored, at))) return false;
    return !this.decision.facts.replacesFiles || !isWithoutId(stored.slot[at] as number) || this.isMatched(stored, at);
  }

  /** True if the batch contains a stored sample. */
  isMatched(stored: SampleRows, at: number): boolean {
    return this.decision.matchedKeys?.has(keyOf(stored, at)) === true;
  }

  /** Deletes a stored sample that the batch lacks. Tolerates repeated calls for a sample. */
  drop(stored: SampleRows, at: number): void {
    const { dropped, droppedKeys } = this.decision;
    const key = keyOf(stored, at);
    if (droppedKeys.has(key)) return;
    droppedKeys.add(key);
    const kind = stored.kind[at] as number;
    dropped.push({ ...sampleKeyOf(stored, at), kind, offsetMinutes: stored.offsetMinutes[at] as number });
  }

  /** True if the batch contains a stored sample or has already deleted it. */
  isSettled(stored: SampleRows, at: number): boolean {
    return this.isMatched(stored, at) || this.decision.droppedKeys.has(keyOf(stored, at));
  }

  /** Records that the batch contains a stored sample. */
  markMatched(stored: SampleRows, at: number): void {
    this.decision.matchedKeys?.add(keyOf(stored, at));
  }

  /**
   * Replaces a stored sample with a row, or records that nothing changes.
   * @param row has its final slot
   * @param isSame true if the stored sample is equal; the replacement then counts as an update only if the offset
   * changes
   */
  replace(row: number, stored: SampleRows, at: number, isSame = false): void {
    const { rows } = this;
    this.markMatched(stored, at);
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

  /** Deletes a stored duplicate of the sample that a row replaces. */
  remove(row: number, stored: SampleRows, at: number): void {
    this.markMatched(stored, at);
    if (!this.decision.facts.keepStored) this.supersede(row, stored, at);
  }

  /** Deletes a stored sample that more detailed rows replace, because otherwise both would count. */
  supersede(row: number, stored: SampleRows, at: number): void {
    this.decision.removed.push({
      row,
      startMs: stored.startMs[at] as number,
      slot: stored.slot[at] as number,
      offsetMinutes: stored.offsetMinutes[at] as number,
    });
  }

  /** Keeps a stored sample unchanged except for an offset that the row adds or corrects. */
  keep(row: number, stored: SampleRows, at: number): void {
    const { rows } = this;
    rows.startMs[row] = stored.startMs[at] as number;
    rows.durationMs[row] = stored.durationMs[at] as number;
    rows.value[row] = stored.value[at] as number;
    rows.slot[row] = stored.slot[at] as number;
    this.replace(row, stored, at);
  }
}

/** Returns the text key of one user's sample. */
function keyOf(rows: SampleRows, at: number): string {
  return `${rows.typeId[at]} ${rows.startMs[at]} ${rows.sourceId[at]} ${rows.slot[at]}`;
}
