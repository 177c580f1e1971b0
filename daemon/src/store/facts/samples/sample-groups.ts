import type pg from 'pg';
import { isSummed, mayBeCondensed } from './condensed.js';
import { probeSamples } from './probe-samples.js';
import { endSecond, startSecond } from './sample-cell.js';
import type { SampleGroup } from './sample-group.js';
import type { SampleRows } from './sample-rows.js';

/** Rows sorted into groups. */
export interface GroupedSamples {
  groups: SampleGroup[];
  /** For each row the index of its group. */
  groupOfRow: Uint32Array;
}

/**
 * Sorts the rows into groups and asks the table what it holds around each. The user's row is locked, so a range found
 * empty stays empty: its rows need no conflict rule, and its days are known without reading them back.
 */
export async function groupSamples(client: pg.ClientBase, userKey: number, rows: SampleRows): Promise<GroupedSamples> {
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
  await probeSamples(client, userKey, groups);
  return { groups, groupOfRow };
}
