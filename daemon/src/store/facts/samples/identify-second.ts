import { hasId, NO_OFFSET, slotOfOrdinal } from '@healthd/model';
import type { Identified } from './identified.js';
import { identifyCell } from './sample-cell.js';
import { NO_SLOT, type SampleRows } from './sample-rows.js';

/** As {@link identifyCell} for a row that is alone in its second, as nearly all are; it makes no object of it. */
export function identifyOne(identified: Identified, row: number, stored: SampleRows, from: number, to: number): void {
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
    identified.set(row, 'unchanged');
    identified.meet(stored, found);
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

/** As {@link identifyCell} for rows of one second of a series, each source and kind by itself. */
export function identifySeveral(
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
