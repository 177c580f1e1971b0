import { hasId, ITEM_LIMITS, isOfUnknownId, isWithoutId, NO_OFFSET, slotOfOrdinal } from '@healthd/model';
import {
  allocateRows,
  endSecond,
  fillUnknown,
  NO_SLOT,
  type SampleRows,
  startSecond,
} from '../facts/samples/sample-rows.js';
import { type Condensable, mayBeCondensed, supersede } from './condensed.js';
import type { Identified } from './identified.js';
import type { RowsToCompare } from './sample-groups.js';

/** Stored samples of some stretches of rows, in primary key order. */
export interface StoredStretches {
  /** Positions in `RowsToCompare.doubtful`: first position (inclusive) and end (exclusive). */
  stretches: readonly { from: number; to: number }[];
  stored: SampleRows;
}

const NOTHING = allocateRows(0);

/**
 * Matches each row of the batch, except daily totals, with its stored sample. Merges rows and stored samples in key
 * order. For 1.2 million equal rows this took 1.2 s; a temporary table joined to `sample` took 18 s.
 * @param isRestated true if the batch contains all samples of its windows, so that no row is superseded
 */
export function* identifyReadings(
  identified: Identified,
  { fresh, doubtful }: RowsToCompare,
  around: readonly StoredStretches[],
  isRestated: boolean,
): Generator<void> {
  identifyStretch(identified, fresh, NOTHING, 0, !isRestated);
  for (const { stretches, stored } of around) {
    yield;
    let at = 0;
    for (const { from, to } of stretches) {
      at = identifyStretch(identified, doubtful.subarray(from, to), stored, at, !isRestated);
    }
  }
}

/**
 * Walks rows and stored samples in parallel, by series and second.
 * @param from the first stored sample to check
 * @returns the first stored sample that was not checked
 */
function identifyStretch(
  identified: Identified,
  stretch: Uint32Array,
  stored: SampleRows,
  from: number,
  supersedes: boolean,
): number {
  const { rows } = identified;
  const condensable: Condensable = { rows: [], from: [] };
  let at = from;
  for (let next = 0; next < stretch.length; ) {
    const first = stretch[next] as number;
    let end = next + 1;
    while (end < stretch.length && isSameSecond(rows, first, rows, stretch[end] as number)) end++;
    while (at < stored.length && isEarlier(stored, at, rows, first)) at++;
    let to = at;
    while (to < stored.length && isSameSecond(rows, first, stored, to)) to++;
    for (let index = next; supersedes && index < end; index++) {
      const row = stretch[index] as number;
      if (!mayBeCondensed(rows, row)) continue;
      condensable.rows.push(row);
      condensable.from.push(at);
    }
    if (end === next + 1) identifyOne(identified, first, stored, at, to);
    else identifySeveral(identified, stretch.subarray(next, end), stored, at, to);
    next = end;
  }
  supersede(identified, condensable, stored);
  return at;
}

function isSameSecond(a: SampleRows, i: number, b: SampleRows, j: number): boolean {
  return a.typeId[i] === b.typeId[j] && startSecond(a, i) === startSecond(b, j);
}

/** True if a stored sample precedes a row's second. */
function isEarlier(stored: SampleRows, at: number, rows: SampleRows, row: number): boolean {
  const order = (stored.typeId[at] as number) - (rows.typeId[row] as number);
  return order < 0 || (order === 0 && startSecond(stored, at) < startSecond(rows, row));
}

/**
 * Does the same as {@link identifyCell} for a row that is alone in its second, as most rows are. Allocates no objects
 * in the usual cases: no stored sample, or one equal stored sample.
 */
function identifyOne(identified: Identified, row: number, stored: SampleRows, from: number, to: number): void {
  const { rows } = identified;
  let found = -1;
  let count = 0;
  for (let at = from; at < to; at++) {
    if (stored.sourceId[at] !== rows.sourceId[row] || stored.kind[at] !== rows.kind[row]) continue;
    found = at;
    count++;
  }
  if (count === 0) {
    if (rows.slot[row] === NO_SLOT) rows.slot[row] = slotOfOrdinal(rows.kind[row] as number, 0);
  } else if (count === 1 && isStoredAsIs(identified, row, stored, found)) {
    rows.slot[row] = stored.slot[found] as number;
    identified.set(row, 'unchanged');
    identified.markMatched(stored, found);
  } else {
    identifySeveral(identified, Uint32Array.of(row), stored, from, to);
  }
}

function isStoredAsIs(identified: Identified, row: number, stored: SampleRows, at: number): boolean {
  const { rows } = identified;
  const slot = rows.slot[row] as number;
  return (
    rows.value[row] === stored.value[at] &&
    rows.startMs[row] === stored.startMs[at] &&
    Object.is(rows.durationMs[row], stored.durationMs[at]) &&
    (rows.offsetMinutes[row] === NO_OFFSET || rows.offsetMinutes[row] === stored.offsetMinutes[at]) &&
    (slot === NO_SLOT || hasId(stored.slot[at] as number)) &&
    (slot === stored.slot[at] || !identified.isOfWorkout(stored, at) || identified.isOfWorkout(rows, row))
  );
}

/** Calls {@link identifyCell} for the rows of one second of a series, grouped by source and kind. */
function identifySeveral(
  identified: Identified,
  block: Uint32Array,
  stored: SampleRows,
  from: number,
  to: number,
): void {
  const { rows } = identified;
  const cells = new Map<string, number[]>();
  for (const row of block) {
    const key = `${rows.sourceId[row]} ${rows.kind[row]}`;
    const cell = cells.get(key);
    if (cell) cell.push(row);
    else cells.set(key, [row]);
  }
  const found = new Map<string, number[]>();
  for (let at = from; at < to; at++) {
    const key = `${stored.sourceId[at]} ${stored.kind[at]}`;
    const known = found.get(key);
    if (known) known.push(at);
    else if (cells.has(key)) found.set(key, [at]);
  }
  for (const [key, cell] of cells) identifyCell(identified, cell, stored, found.get(key) ?? []);
}

/**
 * Relative precision of values in exports, which print six digits in their own units. A value is accurate to half a
 * unit of the sixth digit.
 */
const ROUNDING = 5e-6;

/** True if two values are equal within the precision of exports. */
export function isSameValue(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= ROUNDING * Math.max(Math.abs(a), Math.abs(b));
}

/**
 * Matches rows that share series, source, kind and start second with each other and with stored samples. A row is a
 * newer version of a stored sample (same ID and start), equal to a stored sample, a replacement for a sample that was
 * stored before IDs were recorded, or a new sample.
 * @param cell rows in batch order
 * @param found positions in `stored`
 */
function identifyCell(identified: Identified, cell: number[], stored: SampleRows, found: number[]): void {
  const free = new Set(found);
  const newest = withoutWorkoutsEquals(identified, newestVersions(identified, cell));
  const versions = pairVersions(identified, newest, stored, free);
  const open = withoutEquals(identified, newest, versions).filter((row) => !versions.has(row));
  const slots = new SlotsOfSecond(stored, found);
  const left = pairEquals(identified, open, stored, free, slots);
  const ofUnknownId = [...free].filter((at) => isOfUnknownId(stored.slot[at] as number)).values();
  for (const row of left) {
    if (replaceUnidentified(identified, row, stored, ofUnknownId)) continue;
    if (!slots.add(identified.rows, row)) identified.set(row, 'rejected');
  }
}

/**
 * Returns the newest version of each sample. Among versions with the same start, the last version in the batch is the
 * newest. Versions with different starts have no batch order, so the version that ends last is the newest. The other
 * versions are duplicates.
 */
function newestVersions(identified: Identified, cell: number[]): number[] {
  if (cell.length === 1) return cell;
  const { rows } = identified;
  const lastOfInstants = firstOfEach(identified, cell.toReversed(), 'instant');
  const latestEnd = lastOfInstants.toSorted((a, b) => endSecond(rows, b) - endSecond(rows, a));
  const newest = new Set(firstOfEach(identified, latestEnd, 'interval'));
  return cell.filter((row) => newest.has(row));
}

/** Returns the first version of each sample, completed with data that only its other versions have. */
function firstOfEach(identified: Identified, ordered: readonly number[], by: VersionRule): number[] {
  const { rows } = identified;
  const versions = new Versions(rows, by);
  return ordered.filter((row) => {
    if (rows.slot[row] === NO_SLOT) return true;
    const version = versions.of(rows, row);
    if (version === undefined) {
      versions.add(row);
      return true;
    }
    fillUnknown(rows, version, rows, row);
    identified.set(row, 'duplicate');
    return false;
  });
}

function pairVersions(
  identified: Identified,
  newest: number[],
  stored: SampleRows,
  free: Set<number>,
): ReadonlySet<number> {
  const paired = new Set<number>();
  if (free.size === 0) return paired;
  const { rows } = identified;
  // Matches equal instants first. The other rows of the second are then compared by interval, because another version
  // of a sample may have a start without fractions of a second.
  for (const by of ['instant', 'interval'] as const) {
    const versions = new Versions(stored, by);
    for (const at of free) if (hasId(stored.slot[at] as number)) versions.add(at);
    for (const row of newest) {
      if (paired.has(row)) continue;
      const at = versions.of(rows, row);
      if (at === undefined) continue;
      versions.remove(at);
      startAt(rows, row, stored.startMs[at] as number);
      identified.replace(row, stored, at);
      free.delete(at);
      paired.add(row);
    }
  }
  return paired;
}

/**
 * Rule by which samples with the same ID and start second are versions of each other. `instant`: the samples start at
 * the same instant. `interval`: also if both samples reach beyond that second, because parts of one item never overlap.
 */
type VersionRule = 'instant' | 'interval';

/** Indexes the samples of one second, to find the first version of another sample. */
class Versions {
  /**
   * Keys contain slot and start. With the rule `interval`, samples that reach beyond the second also have a key
   * without the start.
   */
  private readonly byKey = new Map<number, Set<number>>();

  constructor(
    private readonly rows: SampleRows,
    private readonly by: VersionRule,
  ) {}

  add(at: number): void {
    for (const key of this.keysOf(this.rows, at)) {
      const known = this.byKey.get(key);
      if (known) known.add(at);
      else this.byKey.set(key, new Set([at]));
    }
  }

  remove(at: number): void {
    for (const key of this.keysOf(this.rows, at)) this.byKey.get(key)?.delete(at);
  }

  of(rows: SampleRows, row: number): number | undefined {
    let first: number | undefined;
    for (const key of this.keysOf(rows, row)) {
      const found = this.byKey.get(key)?.values().next().value;
      if (found !== undefined && (first === undefined || found < first)) first = found;
    }
    return first;
  }

  private keysOf(rows: SampleRows, at: number): number[] {
    const slot = rows.slot[at] as number;
    const second = startSecond(rows, at);
    const instant = slot * 1000 + (rows.startMs[at] as number) - second * 1000;
    const isLong = this.by === 'interval' && endSecond(rows, at) > second;
    return isLong ? [instant, -1 - slot] : [instant];
  }
}

/** Moves a row's start and keeps its end. */
function startAt(rows: SampleRows, row: number, startMs: number): void {
  rows.durationMs[row] = (rows.durationMs[row] as number) + (rows.startMs[row] as number) - startMs;
  rows.startMs[row] = startMs;
}

/**
 * Drops workout readings that equal samples outside workouts, so that all-day measurements survive the deletion of a
 * workout.
 */
function withoutWorkoutsEquals(identified: Identified, newest: number[]): number[] {
  const { rows } = identified;
  const ofWorkouts = new Set(newest.filter((row) => identified.isOfWorkout(rows, row)));
  if (ofWorkouts.size === 0 || ofWorkouts.size === newest.length) return newest;
  const dropped = new Set<number>();
  for (const equals of equalRows(rows, newest)) {
    const readings = equals.filter((row) => ofWorkouts.has(row));
    if (readings.length === equals.length) continue;
    for (const row of readings) {
      dropped.add(row);
      identified.set(row, 'duplicate');
    }
  }
  return newest.filter((row) => !dropped.has(row));
}

/**
 * Keeps all versions of stored samples among equal rows. Without such a version, keeps a row with an ID, otherwise the
 * first row.
 */
function withoutEquals(identified: Identified, newest: number[], versions: ReadonlySet<number>): number[] {
  if (newest.length === 1) return newest;
  const { rows } = identified;
  const rank = (row: number) => (versions.has(row) ? 0 : rows.slot[row] === NO_SLOT ? 2 : 1);
  const retained: number[] = [];
  for (const equals of equalRows(rows, newest)) {
    const best = equals.reduce((a, b) => (rank(b) < rank(a) ? b : a));
    for (const row of equals) {
      if (row === best || versions.has(row)) retained.push(row);
      else identified.set(row, 'duplicate');
    }
  }
  return retained;
}

/** Groups equal rows. */
function equalRows(rows: SampleRows, cell: number[]): number[][] {
  const groups: number[][] = [];
  for (const row of inOrder(rows, cell)) {
    const last = groups.at(-1);
    if (last && hasSameFacts(rows, last[0] as number, rows, row)) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** @returns rows without an equal stored sample */
function pairEquals(
  identified: Identified,
  open: number[],
  stored: SampleRows,
  free: Set<number>,
  slots: SlotsOfSecond,
): number[] {
  if (free.size === 0 || open.length === 0) return open;
  const { rows } = identified;
  const left: number[] = [];
  const candidates = inOrder(stored, [...free]);
  let next = 0;
  for (const row of inOrder(rows, open)) {
    while (next < candidates.length && isBefore(stored, candidates[next] as number, rows, row)) next++;
    const at = candidates[next];
    if (at === undefined || !hasSameFacts(rows, row, stored, at)) {
      left.push(row);
      continue;
    }
    next++;
    free.delete(at);
    joinEqual(identified, row, stored, at, slots);
  }
  return left;
}

/**
 * Matches a row with an equal stored sample. A sample outside workouts passes its identity to an equal stored reading.
 * If the reading arrives later, the sample keeps its identity.
 */
function joinEqual(identified: Identified, row: number, stored: SampleRows, at: number, slots: SlotsOfSecond): void {
  const { rows } = identified;
  const slot = stored.slot[at] as number;
  const isReading = identified.isOfWorkout(rows, row);
  const isOfWorkout = identified.isOfWorkout(stored, at);
  const takesOver = !isReading && isOfWorkout;
  const isIndependent = isReading && !isOfWorkout && isWithoutId(slot);
  if (rows.slot[row] === NO_SLOT && takesOver) {
    rows.startMs[row] = stored.startMs[at] as number;
    rows.durationMs[row] = stored.durationMs[at] as number;
    rows.value[row] = stored.value[at] as number;
    slots.assign(rows, row);
    identified.replace(row, stored, at, true);
  } else if (rows.slot[row] !== NO_SLOT && (takesOver || (!hasId(slot) && !isIndependent))) {
    // Replaces the stored sample, because a sample from a file may be rounded. A sample with an ID is exact.
    identified.replace(row, stored, at, true);
  } else {
    identified.keep(row, stored, at);
  }
}

/**
 * Replaces a sample that was stored before IDs were recorded, because the first sample with an ID may be a newer
 * version of it.
 */
function replaceUnidentified(
  identified: Identified,
  row: number,
  stored: SampleRows,
  ofUnknownId: IterableIterator<number>,
): boolean {
  if (identified.rows.slot[row] === NO_SLOT) return false;
  const at: number | undefined = ofUnknownId.next().value;
  if (at === undefined) return false;
  identified.replace(row, stored, at);
  return true;
}

/** Slots of one instant. */
interface SlotsOfInstant {
  used: Set<number>;
  /** All ordinals below this number are used. */
  next: number;
}

/** Assigns slots without an ID to the rows of a second. */
class SlotsOfSecond {
  private instants: Map<number, SlotsOfInstant> | undefined;

  /** @param found positions in `stored` of the second's samples */
  constructor(
    private readonly stored: SampleRows,
    private readonly found: readonly number[],
  ) {}

  /** Adds a new sample and assigns a slot if needed; false if its instant is full. */
  add(rows: SampleRows, row: number): boolean {
    const slots = this.at(rows.startMs[row] as number);
    if (slots.used.size >= ITEM_LIMITS.readingsOfInstant) return false;
    if (rows.slot[row] === NO_SLOT) this.assign(rows, row);
    else slots.used.add(rows.slot[row] as number);
    return true;
  }

  /** Assigns the lowest free slot of a row's instant. */
  assign(rows: SampleRows, row: number): void {
    const slots = this.at(rows.startMs[row] as number);
    const kindCode = rows.kind[row] as number;
    while (slots.used.has(slotOfOrdinal(kindCode, slots.next))) slots.next++;
    rows.slot[row] = slotOfOrdinal(kindCode, slots.next);
    slots.used.add(rows.slot[row] as number);
  }

  private at(startMs: number): SlotsOfInstant {
    this.instants ??= this.storedInstants();
    const known = this.instants.get(startMs);
    if (known) return known;
    const slots = { used: new Set<number>(), next: 0 };
    this.instants.set(startMs, slots);
    return slots;
  }

  private storedInstants(): Map<number, SlotsOfInstant> {
    const { stored, found } = this;
    const instants = new Map<number, SlotsOfInstant>();
    for (const at of found) {
      const startMs = stored.startMs[at] as number;
      const slots = instants.get(startMs) ?? { used: new Set<number>(), next: 0 };
      slots.used.add(stored.slot[at] as number);
      instants.set(startMs, slots);
    }
    return instants;
  }
}

function hasSameFacts(a: SampleRows, i: number, b: SampleRows, j: number): boolean {
  return endSecond(a, i) === endSecond(b, j) && isSameValue(a.value[i] as number, b.value[j] as number);
}

/**
 * True if a stored sample sorts before a row: by end, then by value. Values that are equal within the precision of
 * exports do not differ.
 */
function isBefore(stored: SampleRows, at: number, rows: SampleRows, row: number): boolean {
  const order = endSecond(stored, at) - endSecond(rows, row);
  if (order !== 0) return order < 0;
  const value = stored.value[at] as number;
  return value < (rows.value[row] as number) && !isSameValue(value, rows.value[row] as number);
}

function inOrder(rows: SampleRows, positions: number[]): number[] {
  return positions.toSorted(
    (a, b) => endSecond(rows, a) - endSecond(rows, b) || (rows.value[a] as number) - (rows.value[b] as number),
  );
}
