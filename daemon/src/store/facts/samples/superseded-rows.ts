import { isSumOfParts } from './condensed.js';
import { FATE, type Identified } from './identified.js';
import type { SampleRows } from './sample-rows.js';

/** Rows that may be condensed, and for each where to begin among the stored samples. */
export interface Condensable {
  rows: number[];
  from: number[];
}

/** Marks rows as superseded whose pieces are stored, or new too. Shorter ones first: they may be pieces of longer ones. */
export function supersede(identified: Identified, condensable: Condensable, stored: SampleRows): void {
  const { rows } = identified;
  const counts = (other: number) => identified.stays(stored, other);
  const durationOf = (index: number) => rows.durationMs[condensable.rows[index] as number] as number;
  const order = condensable.rows.map((_, index) => index).sort((a, b) => durationOf(a) - durationOf(b));
  for (const index of order) {
    const row = condensable.rows[index] as number;
    if (identified.fateOf(row) !== FATE.insert) continue;
    const from = condensable.from[index] as number;
    if (isSumOfParts(identified, rows, row, { stored, from, counts })) identified.set(row, 'superseded');
  }
}
