import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { mayBeCondensed } from './condensed.js';
import { endSecond, startSecond } from './sample-cell.js';
import type { SampleRange } from './sample-reader.js';
import type { SampleRows } from './sample-rows.js';

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
