import { MS_PER_DAY, MS_PER_HOUR, SAMPLE_KIND_CODE } from '@healthd/model';
import { type SampleRange, type SampleRows, endSecond, startSecond } from '../facts/samples/sample-rows.js';
import { type AddedPieces, CONDENSED_MS, isSummed, mayBeCondensed } from './condensed.js';
import { FATE, type Identified } from './identified.js';

/** The rows of one series from one source within a batch, and what the table already holds around them. */
export interface SampleGroup {
  typeId: number;
  sourceId: number;
  /** Whole seconds from the first start on, in which samples may lie that rows of the batch are. */
  firstMs: number;
  lastMs: number;
  /** True when the table holds samples of this series and source that start from `firstMs` to `lastMs`. */
  overlaps: boolean;
  /** The series is summed and the batch has samples of it, not totals alone, so that one may stand for several. */
  isSummed: boolean;
  /** True when the table holds such samples that reach into the group's time. */
  mayBePieces: boolean;
  /** Nearest stored starts before and after, when near enough to share a local date. */
  previousMs?: number;
  nextMs?: number;
}

/** Rows sorted into groups. */
export interface GroupedSamples {
  groups: SampleGroup[];
  /** For each row the index of its group. */
  groupOfRow: Uint32Array;
}

/** Sorts the rows into groups. Nothing is known yet of what the table holds around them. */
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
    // The first of a day is often its total, which is none of the pieces.
    if (!group.isSummed) group.isSummed = isSummed(rows, row);
    groupOfRow[row] = index;
  }
  return { groups, groupOfRow };
}

/** Rows that are no daily totals. */
export interface RowsToCompare {
  /** Rows of groups around which nothing is stored. */
  fresh: Uint32Array;
  doubtful: Uint32Array;
}

/** Splits the rows by what the table holds around their groups. */
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

/** Rows further apart than this are looked up in ranges of their own. */
const GAP_MS = MS_PER_HOUR;
/** Longest stretch of time that one range spans: it bounds memory, as does the number of ranges in one read. */
const RANGE_MS = 31 * MS_PER_DAY;

/** Runs of rows of one series that lie close together: `from` to before `to`, and the range that holds their like. */
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
      // Stretches must not share a stored sample: each is looked at one time only.
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

/** Stored samples are read in windows of this length: bounds memory. */
const WINDOW_MS = 31 * CONDENSED_MS.most;

/** New rows that may be pieces of stored condensed samples, by series, source and window. */
export function addedPieces(
  { rows, fates }: Identified,
  { groups, groupOfRow }: GroupedSamples,
): Iterable<AddedPieces> {
  const windows = new Map<string, AddedPieces>();
  if (!groups.some(({ mayBePieces }) => mayBePieces)) return [];
  for (let row = 0; row < rows.length; row++) {
    if (fates[row] !== FATE.insert || !isSummed(rows, row)) continue;
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
