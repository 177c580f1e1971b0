import { mayBeCondensed } from './condensed.js';
import type { Identified } from './identified.js';
import { identifyOne, identifySeveral } from './identify-second.js';
import { startSecond } from './sample-cell.js';
import type { SampleRows } from './sample-rows.js';
import { type Condensable, supersede } from './superseded-rows.js';

/**
 * Goes through rows and stored samples side by side, one series and second after the other.
 * @param from the first stored sample to look at
 * @returns the first that was not looked at
 */
export function identifyStretch(
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

/** Whether a stored sample comes before the second of a row. */
function isEarlier(stored: SampleRows, at: number, rows: SampleRows, row: number): boolean {
  const order = (stored.typeId[at] as number) - (rows.typeId[row] as number);
  return order < 0 || (order === 0 && startSecond(stored, at) < startSecond(rows, row));
}
