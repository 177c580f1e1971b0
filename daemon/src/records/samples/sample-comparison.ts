import type pg from 'pg';
import { readSamples, type SampleRange } from './sample-reader.js';
import type { SampleRows } from './sample-rows.js';

/** Rows further apart than this are looked up in ranges of their own. */
const GAP_MS = 3_600_000;
/** Longest stretch of time that one range spans, and ranges that one read takes: both bound memory. */
const RANGE_MS = 31 * 86_400_000;
const RANGES_PER_READ = 64;

/** A stored sample whose value, length or offset the batch changes. */
export interface ChangedSample {
  row: number;
  /** Offset that the table held, NO_OFFSET for none. */
  oldOffsetMinutes: number;
}

/**
 * Which of the rows at `positions` (ascending) the table lacks, and which it holds with other content. The stored rows
 * around them are read and merged with the batch in key order; measured on 1.2 million equal rows this takes 1.2 s, a
 * temporary table joined to `sample` 18 s.
 */
export async function compareWithStored(
  client: pg.ClientBase,
  userKey: number,
  rows: SampleRows,
  positions: Uint32Array,
): Promise<{ missing: number[]; changed: ChangedSample[] }> {
  const missing: number[] = [];
  const changed: ChangedSample[] = [];
  const stretches = stretchesOf(rows, positions);
  for (let index = 0; index < stretches.length; index += RANGES_PER_READ) {
    const portion = stretches.slice(index, index + RANGES_PER_READ);
    const stored = await readSamples(
      client,
      userKey,
      portion.map(({ range }) => range),
    );
    let at = 0;
    for (const { from, to } of portion) {
      for (let next = from; next < to; next++) {
        const row = positions[next] as number;
        while (at < stored.length && compareKeys(stored, at, rows, row) < 0) at++;
        if (at >= stored.length || compareKeys(stored, at, rows, row) !== 0) missing.push(row);
        else if (isDistinct(stored, at, rows, row)) {
          changed.push({ row, oldOffsetMinutes: stored.offsetMinutes[at] as number });
        }
      }
    }
  }
  return { missing, changed };
}

/** Runs of rows of one series that lie close together: positions `from` to before `to`, and the range that holds them. */
function stretchesOf(rows: SampleRows, positions: Uint32Array): { from: number; to: number; range: SampleRange }[] {
  const stretches: { from: number; to: number; range: SampleRange }[] = [];
  let previousMs = Number.NEGATIVE_INFINITY;
  positions.forEach((row, index) => {
    const typeId = rows.typeId[row] as number;
    const startMs = rows.startMs[row] as number;
    const last = stretches.at(-1);
    if (
      last &&
      last.range.typeId === typeId &&
      startMs - previousMs <= GAP_MS &&
      (startMs - last.range.fromMs < RANGE_MS || startMs === previousMs)
    ) {
      last.to = index + 1;
      last.range.toMs = startMs + 1;
    } else {
      stretches.push({ from: index, to: index + 1, range: { typeId, fromMs: startMs, toMs: startMs + 1 } });
    }
    previousMs = startMs;
  });
  return stretches;
}

/** Order of two rows by primary key: type, start, source, kind. */
export function compareKeys(a: SampleRows, i: number, b: SampleRows, j: number): number {
  return (
    (a.typeId[i] as number) - (b.typeId[j] as number) ||
    (a.startMs[i] as number) - (b.startMs[j] as number) ||
    (a.sourceId[i] as number) - (b.sourceId[j] as number) ||
    (a.kind[i] as number) - (b.kind[j] as number)
  );
}

function isDistinct(a: SampleRows, i: number, b: SampleRows, j: number): boolean {
  return (
    a.value[i] !== b.value[j] ||
    !Object.is(a.durationMs[i], b.durationMs[j]) ||
    a.offsetMinutes[i] !== b.offsetMinutes[j]
  );
}
