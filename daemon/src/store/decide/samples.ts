import {
  type Extremes,
  hashOfSlot,
  ITEM_LIMITS,
  isWithoutId,
  joinedIdHash,
  MAX_OFFSET_MS,
  MS_PER_DAY,
  NO_ID,
  type RecordBatch,
  type Rejected,
  SAMPLE_KIND_CODE,
  type SampleColumns,
  TOO_MANY,
} from '@healthd/model';
import { CHANGE } from '../facts/change.js';
import { DirtyDays } from '../facts/dirty-days.js';
import type { TimelineChange } from './timeline.js';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import {
  NOT_PUSHED,
  type PushedItem,
  PushedItems,
  type PushedSamples,
  pushedColumnOf,
} from '../facts/pushed/pushed-items.js';
import {
  allocateRows,
  localDayOf,
  NO_SLOT,
  rowsWhere,
  type SampleKey,
  type SampleRows,
  sampleKeyOf,
} from '../facts/samples/sample-rows.js';
import type { SampleChanges } from '../facts/samples/sample-store.js';
import type { StoredExtremes } from '../facts/samples/stored-extremes.js';
import type { BatchRows } from './batch-rows.js';
import { identifyTotals } from './daily-totals.js';
import { ROW_OUTCOME, Identified, type IdentityFacts, type ReplacedSample } from './identified.js';
import { dropReplaced, type StoredWindows } from './replaced-windows.js';
import type { RowsToCompare } from './sample-groups.js';
import { identifyReadings, type StoredStretches } from './sample-identity.js';

/** Stored samples and other input for a decision about a batch's samples. Plain data, so a thread can receive it. */
export interface SampleSnapshot {
  facts: IdentityFacts;
  /** True if the batch contains all samples of its windows. */
  isRestated: boolean;
  compared: RowsToCompare;
  /** Stored daily totals near the batch's totals. */
  totals: SampleRows;
  /** Stored samples near the doubtful rows. */
  around: readonly StoredStretches[];
  /** Replaced windows of the batch. */
  windows: readonly StoredWindows[];
  /** Stored readings of deleted or moved workouts. Readings that the batch lacks are deleted too. */
  readings: readonly SampleRows[];
  /** One flag per row: 1 if the row starts in an archived minute. Undefined if no row does. */
  archived: Uint8Array | undefined;
}

/** True if the batch contains all samples of some windows. */
export function restatesSamples(records: RecordBatch['records']): boolean {
  return records.some((record) => record.kind === 'replacement' && record.of === 'samples');
}

/** Decides the outcome of the batch's samples. Yields where the caller may run other work. */
export function* decideSamples(
  { rows, positions }: Pick<BatchRows, 'rows' | 'positions'>,
  { facts, isRestated, compared, totals, around, windows, readings, archived }: SampleSnapshot,
  timeline: OffsetTimeline,
): Generator<void, Identified> {
  const identified = Identified.of(rows, facts);
  identifyTotals(identified, positions, totals, timeline);
  yield;
  yield* identifyReadings(identified, compared, around, isRestated);
  yield;
  yield* dropReplaced(identified, windows, timeline);
  for (const stored of readings) {
    yield;
    for (let at = 0; at < stored.length; at++) if (!identified.isSettled(stored, at)) identified.drop(stored, at);
  }
  yield;
  for (let row = 0; archived !== undefined && row < rows.length; row++) {
    if (archived[row] === 1 && identified.rowOutcomeOf(row) === ROW_OUTCOME.insert) identified.set(row, 'archived');
  }
  return identified;
}

/** True for rows that count as archived if they start in an archived minute. */
export function mayBeArchived(rows: SampleRows, row: number, archivedBefore: number | undefined): boolean {
  if (archivedBefore === undefined || rows.kind[row] !== SAMPLE_KIND_CODE.sample) return false;
  return (rows.startMs[row] as number) < archivedBefore * MS_PER_DAY + MAX_OFFSET_MS;
}

/** Returns the table changes of the decision. A row whose key changes is deleted and inserted. */
export function changesOf({ decision }: Identified): SampleChanges {
  const { rows, rowOutcomes, replaced, removed, dropped } = decision;
  const deleted: SampleKey[] = [...dropped];
  const updated: number[] = [];
  const isMovedRow = new Uint8Array(rows.length);
  for (const one of replaced) {
    const { row, oldStartMs, oldSlot } = one;
    if (!isMoved(rows, one)) {
      updated.push(row);
      continue;
    }
    isMovedRow[row] = 1;
    deleted.push({ ...sampleKeyOf(rows, row), startMs: oldStartMs, slot: oldSlot });
  }
  for (const { row, startMs, slot } of removed) deleted.push({ ...sampleKeyOf(rows, row), startMs, slot });
  const inserted = rowsWhere(rows.length, (row) => rowOutcomes[row] === ROW_OUTCOME.insert || isMovedRow[row] === 1);
  return { deleted, rows, inserted, updated };
}

function isMoved(rows: SampleRows, { row, oldStartMs, oldSlot }: ReplacedSample): boolean {
  return rows.startMs[row] !== oldStartMs || rows.slot[row] !== oldSlot;
}

/** Returns the local days of the dropped samples. */
export function droppedDays({ decision: { dropped } }: Identified, { after }: TimelineChange): DirtyDays {
  const days = new DirtyDays();
  const row = allocateRows(1);
  for (const { typeId, sourceId, kind, startMs, offsetMinutes } of dropped) {
    row.kind[0] = kind;
    row.startMs[0] = startMs;
    row.offsetMinutes[0] = offsetMinutes;
    days.add(typeId, sourceId, localDayOf(row, 0, after), CHANGE.replaced);
  }
  return days;
}

const STORED_OUTCOMES: ReadonlySet<number> = new Set([ROW_OUTCOME.unchanged, ROW_OUTCOME.updated]);

/**
 * Returns the ids of the samples that a phone pushed with the batch. Excludes rows that kept another item's id.
 * @param device the phone's number
 */
export function pushedSamples(
  identified: Identified,
  { pushed, idHash }: SampleColumns,
  { positions }: BatchRows,
  device: number,
): PushedSamples {
  if (pushed === undefined) return { inRows: undefined, listed: new PushedItems(0) };
  const { rows, rowOutcomes } = identified;
  const inRows = new Int32Array(rows.length).fill(NOT_PUSHED);
  const listed: PushedItem[] = [];
  for (let at = 0; at < rows.length; at++) {
    const from = positions[at] as number;
    const slot = rows.slot[at] as number;
    const outcome = rowOutcomes[at] as number;
    const isInserted = outcome === ROW_OUTCOME.insert;
    if (pushed.isItem[from] !== 1 || slot === NO_SLOT || !(isInserted || STORED_OUTCOMES.has(outcome))) continue;
    const low = idHash[from] as number;
    if (low === NO_ID ? !isWithoutId(slot) : hashOfSlot(slot) !== low) continue;
    const high = low === NO_ID ? 0 : (pushed.high[from] as number);
    const parentLow = pushed.parentLow[from] as number;
    const column = isInserted && parentLow === NO_ID ? pushedColumnOf(device, high) : undefined;
    if (column !== undefined) inRows[at] = column;
    else
      listed.push({
        typeId: rows.typeId[at] as number,
        sourceId: rows.sourceId[at] as number,
        startMs: rows.startMs[at] as number,
        slot,
        id: low === NO_ID ? undefined : joinedIdHash(high, low),
        parent: parentLow === NO_ID ? undefined : joinedIdHash(pushed.parentHigh[from] as number, parentLow),
      });
  }
  return { inRows, listed: PushedItems.of(listed) };
}

/** Extremes of the readings behind a batch row. */
export interface ProvidedExtremes extends Extremes {
  typeId: number;
  sourceId: number;
  startMs: number;
  /** Position among the batch's rows. */
  at: number;
}

/** Returns the extremes that the batch contains for the readings behind its samples. */
export function givenExtremes({ extremes }: SampleColumns, { rows, positions }: BatchRows): ProvidedExtremes[] {
  if (extremes === undefined) return [];
  return [...positions.entries()].flatMap(([at, position]) => {
    const own = extremes.get(position);
    return own ? [{ ...sampleKeyOf(rows, at), ...own, at }] : [];
  });
}

/**
 * Decides which extremes to store: only extremes that differ from the stored extremes. Equal rows share their extremes,
 * and the last extremes in the batch count.
 * @param stored extremes of samples that start at the same instants
 * @returns also the positions of their rows
 */
export function decideExtremes(
  { rows, rowOutcomes }: Identified,
  providedValues: readonly ProvidedExtremes[],
  stored: readonly StoredExtremes[],
): { extremes: StoredExtremes[]; rows: number[] } {
  const changed = new Map<string, { extremes: StoredExtremes; at: number }>();
  if (providedValues.length === 0) return { extremes: [], rows: [] };
  const valueKey = (at: number) =>
    `${rows.typeId[at]} ${rows.startMs[at]} ${rows.sourceId[at]} ${rows.kind[at]} ${rows.value[at]}`;
  const rowKey = ({ typeId, startMs, sourceId, slot }: SampleKey) => `${typeId} ${startMs} ${sourceId} ${slot}`;
  const slots = new Map<string, number>();
  for (let at = 0; at < rows.length; at++) {
    const isStored = rowOutcomes[at] === ROW_OUTCOME.insert || STORED_OUTCOMES.has(rowOutcomes[at] as number);
    if (isStored && rows.slot[at] !== NO_SLOT) slots.set(valueKey(at), rows.slot[at] as number);
  }
  const known = new Map(stored.map((one) => [rowKey(one), one]));
  for (const { at, minimum, maximum } of providedValues) {
    const slot = slots.get(valueKey(at));
    if (slot === undefined) continue;
    const extremes = { ...sampleKeyOf(rows, at), slot, minimum, maximum };
    const key = rowKey(extremes);
    const before = known.get(key);
    if (before?.minimum === minimum && before.maximum === maximum) changed.delete(key);
    else changed.set(key, { extremes, at });
  }
  const all = [...changed.values()];
  return { extremes: all.map(({ extremes }) => extremes), rows: all.map(({ at }) => at) };
}

/** Returns the rejected samples of instants that already have the maximum number of samples. */
export function samplesBeyondLimit({ rowOutcomes }: Identified, { positions }: BatchRows): Rejected[] {
  const rejected: Rejected[] = [];
  const detail = `${ITEM_LIMITS.readingsOfInstant} readings of an instant`;
  for (let row = 0; row < rowOutcomes.length; row++) {
    if (rowOutcomes[row] !== ROW_OUTCOME.rejected) continue;
    const index = positions[row] as number;
    rejected.push({ kind: 'rejected', collection: 'samples', index, field: 'start', code: TOO_MANY, detail });
  }
  return rejected;
}
