import { MS_PER_DAY, MS_PER_HOUR, SAMPLE_KIND_CODE } from '@healthd/model';
import { endSecond, type SampleRange, type SampleRows, startSecond } from '../facts/samples/sample-rows.js';
import { type AddedPieces, CONDENSED_MS, isSummed, mayBeCondensed } from './condensed.js';
import { type Identified, ROW_OUTCOME } from './identified.js';

/** A batch's rows of one series from one source, and the stored samples around them. */
export interface SampleGroup {
  typeId: number;
  sourceId: number;
  /** Whole seconds that may contain stored versions of the rows. */
  firstMs: number;
  lastMs: number;
  /** True if the table contains samples of this series and source that start from `firstMs` to `lastMs`. */
  overlaps: boolean;
  /**
   * True if the group contains samples of a summed series other than totals, which may be pieces of condensed samples.
   */
  isSummed: boolean;
  /**
   * True if the table contains condensed samples that overlap the group in time. The group's rows may then be pieces of
   * these samples.
   */
  mayBePieces: boolean;
  /** Starts of the nearest stored samples before and after the group, if they are near enough to share a local date. */
  previousMs?: number;
  nextMs?: number;
}

/** Rows sorted into groups. */
export interface GroupedSamples {
  groups: SampleGroup[];
  /** Index of each row's group. */
  groupOfRow: Uint32Array;
}

/** Sorts the rows into groups, without data about stored samples yet. */
export function groupSamples(rows: SampleRows): GroupedSamples {
  const groups: SampleGroup[] = [];
  const groupOfRow = new Uint32Array(rows.length);
  const indexOfKey = new Map<number, number>();
  for (let row = 0; row < rows.length; row++) {
    const typeId = rows.typeId[row] as number;
    const sourceId = rows.sourceId[row] as number;
    const firstMs = startSecond(rows, row) * 1000;
    const lastMs = ((mayBeCondensed(rows, row) ? endSecond(rows, row) : startSecond(rows, row)) + 1) * 1000 - 1;
    const key = sourceId * 65_536 + typeId;
    let index = indexOfKey.get(key);
    if (index === undefined) {
      index =
        groups.push({
          typeId,
          sourceId,
          firstMs,
          lastMs,
          overlaps: false,
          isSummed: false,
          mayBePieces: false,
        }) - 1;
      indexOfKey.set(key, index);
    }
    const group = groups[index] as SampleGroup;
    if (lastMs > group.lastMs) group.lastMs = lastMs;
    // The first row of a day is often its total, which is not a piece.
    if (!group.isSummed) group.isSummed = isSummed(rows, row);
    groupOfRow[row] = index;
  }
  return { groups, groupOfRow };
}

/** Rows other than daily totals. */
export interface RowsToCompare {
  /** Rows in groups without stored samples around them. */
  fresh: Uint32Array;
  doubtful: Uint32Array;
}

/** Splits the rows by the stored samples around their groups. */
export function rowsToCompare(rows: SampleRows, { groups, groupOfRow }: GroupedSamples): RowsToCompare {
  const overlaps = Uint8Array.from(groups, (group) => (group.overlaps ? 1 : 0));
  const chosen = [new Uint32Array(rows.length), new Uint32Array(rows.length)] as const;
  const count = [0, 0];
  for (let row = 0; row < rows.length; row++) {
    if (rows.kind[row] === SAMPLE_KIND_CODE.daily_total) continue;
    const which = overlaps[groupOfRow[row] as number] === 1 ? 1 : 0;
    chosen[which][count[which]!++] = row;
  }
  return { fresh: chosen[0].subarray(0, count[0]), doubtful: chosen[1].subarray(0, count[1]) };
}

/** Maximum gap within a range. Rows with larger gaps are looked up in separate ranges. */
const GAP_MS = MS_PER_HOUR;
/** Maximum length of a range. Like the number of ranges per read, it limits memory. */
const RANGE_MS = 31 * MS_PER_DAY;

/**
 * Divides the chosen rows into stretches of nearby rows of one series. `from` and `to` (exclusive) are positions in
 * `chosen`; `range` is the range of stored samples that may match the rows.
 */
export function stretchesOf(rows: SampleRows, chosen: Uint32Array): { from: number; to: number; range: SampleRange }[] {
  const stretches: { from: number; to: number; range: SampleRange }[] = [];
  let previous = Number.NEGATIVE_INFINITY;
  chosen.forEach((row, index) => {
    const typeId = rows.typeId[row] as number;
    const fromMs = startSecond(rows, row) * 1000;
    const toMs = ((mayBeCondensed(rows, row) ? endSecond(rows, row) : startSecond(rows, row)) + 1) * 1000;
    const last = stretches.at(-1);
    if (
      last &&
      last.range.typeId === typeId &&
      // Two stretches must not share a stored sample, because each sample is read only once.
      (fromMs < last.range.toMs || (fromMs - previous <= GAP_MS && fromMs - last.range.fromMs < RANGE_MS))
    ) {
      last.to = index + 1;
      last.range.toMs = Math.max(last.range.toMs, toMs);
    } else {
      stretches.push({ from: index, to: index + 1, range: { typeId, fromMs, toMs } });
    }
    previous = fromMs;
  });
  return stretches;
}

/** Length of the windows in which stored samples are read, to limit memory. */
const WINDOW_MS = 31 * CONDENSED_MS.most;

/** Returns new rows that may be pieces of stored condensed samples, by series, source and window. */
export function addedPieces(
  { rows, rowOutcomes }: Identified,
  { groups, groupOfRow }: GroupedSamples,
): Iterable<AddedPieces> {
  const windows = new Map<string, AddedPieces>();
  if (!groups.some(({ mayBePieces }) => mayBePieces)) return [];
  for (let row = 0; row < rows.length; row++) {
    if (rowOutcomes[row] !== ROW_OUTCOME.insert || !isSummed(rows, row)) continue;
    const group = groups[groupOfRow[row] as number];
    if (!group?.mayBePieces) continue;
    const { typeId, sourceId } = group;
    const startMs = rows.startMs[row] as number;
    const key = `${typeId} ${sourceId} ${Math.floor(startMs / WINDOW_MS)}`;
    const added = windows.get(key);
    if (added) {
      added.rows.push(row);
      added.lastMs = startMs;
    } else windows.set(key, { typeId, sourceId, rows: [row], firstMs: startMs, lastMs: startMs });
  }
  return windows.values();
}
