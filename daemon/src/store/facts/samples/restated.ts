import { hasId } from '@healthd/model';
import { FATE, type Identified } from './identified.js';
import type { SampleRows } from './sample-rows.js';

/**
 * New rows of a batch that restates its windows, by where they begin. A stored sample of the same series, source, kind and
 * start that the batch has no longer is the same one with another value.
 */
export class RestatedSamples {
  private readonly rowsAt = new Map<string, number[]>();

  constructor(private readonly identified: Identified) {
    const { rows, fates } = identified;
    for (let row = 0; row < rows.length; row++) {
      if (fates[row] !== FATE.insert) continue;
      const key = placeOf(rows, row);
      const known = this.rowsAt.get(key);
      if (known) known.push(row);
      else this.rowsAt.set(key, [row]);
    }
  }

  /** Puts a new row in the place of a stored sample; false when there is none. */
  takes(stored: SampleRows, at: number): boolean {
    const { rows } = this.identified;
    const row = this.rowsAt.get(placeOf(stored, at))?.shift();
    if (row === undefined) return false;
    if (!hasId(rows.slot[row] as number)) rows.slot[row] = stored.slot[at] as number;
    this.identified.replace(row, stored, at);
    return true;
  }
}

function placeOf(rows: SampleRows, at: number): string {
  return `${rows.typeId[at]} ${rows.startMs[at]} ${rows.sourceId[at]} ${rows.kind[at]}`;
}
