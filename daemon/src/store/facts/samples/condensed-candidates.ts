import { mayBeCondensed } from './condensed.js';
import type { SampleRows } from './sample-rows.js';

/** Rows of one series and source that are new, from the first to the last. */
export interface Added {
  typeId: number;
  sourceId: number;
  rows: number[];
  firstMs: number;
  lastMs: number;
}

/** A sample that may be condensed: a stored one with the first new row that it holds, or a new row itself. */
interface Candidate {
  of: SampleRows;
  at: number;
  row: number;
}

/** Shorter ones first: they may be pieces of longer ones. */
export function condensedCandidates(rows: SampleRows, added: Added, stored: SampleRows): Candidate[] {
  const found: Candidate[] = added.rows
    .filter((row) => mayBeCondensed(rows, row))
    .map((row) => ({ of: rows, at: row, row }));
  let next = 0;
  for (let at = 0; at < stored.length; at++) {
    if (!mayBeCondensed(stored, at)) continue;
    const startMs = stored.startMs[at] as number;
    const endMs = startMs + (stored.durationMs[at] as number);
    // Exports know no parts of a second.
    while (next < added.rows.length && (rows.startMs[added.rows[next] as number] as number) < startMs - 1000) next++;
    const row = added.rows[next];
    if (row !== undefined && (rows.startMs[row] as number) <= endMs) found.push({ of: stored, at, row });
  }
  return found.sort((a, b) => (a.of.durationMs[a.at] as number) - (b.of.durationMs[b.at] as number));
}
