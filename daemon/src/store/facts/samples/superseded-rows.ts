import { isSumOfParts } from './condensed.js';
import { FATE, type Identified } from './identified.js';
import type { SampleRows } from './sample-rows.js';

/** Rows that may be condensed, and for each where to begin among the stored samples. */
export interface Condensable {
  rows: number[];
  from: number[];
}

/** Marks rows as superseded whose pieces are stored, or new too. */
export function supersede(identified: Identified, condensable: Condensable, stored: SampleRows): void {
  const counts = (other: number) => identified.stays(stored, other);
  for (let isOver = false; !isOver; ) {
    isOver = true;
    for (let index = 0; index < condensable.rows.length; index++) {
      const row = condensable.rows[index] as number;
      if (identified.fateOf(row) !== FATE.insert) continue;
      const from = condensable.from[index] as number;
      if (!isSumOfParts(identified, identified.rows, row, { stored, from, counts })) continue;
      identified.set(row, 'superseded');
      // A longer one may have had it among its pieces.
      isOver = false;
    }
  }
}
