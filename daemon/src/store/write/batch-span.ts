import type { RecordBatch } from '@healthd/model';

/** A span with an inclusive end; empty if `fromMs` is after `toMs`. */
export interface InstantSpan {
  fromMs: number;
  toMs: number;
}

/** Returns the span of all instants in the batches, including deleted and replaced windows. */
export function spanOf(batches: readonly RecordBatch[]): InstantSpan {
  const span: InstantSpan = { fromMs: Number.POSITIVE_INFINITY, toMs: Number.NEGATIVE_INFINITY };
  const reach = (ms: number) => {
    if (ms < span.fromMs) span.fromMs = ms;
    if (ms > span.toMs) span.toMs = ms;
  };
  for (const { samples, records, zones = [] } of batches) {
    for (let row = 0; row < samples.length; row++) reach(samples.startMs[row] as number);
    for (const { firstMs, lastMs } of zones) {
      reach(firstMs);
      reach(lastMs);
    }
    for (const record of records) {
      if (record.kind === 'health_score') reach(record.atMs);
      else if ('startMs' in record) {
        reach(record.startMs);
        reach(record.endMs);
      }
    }
  }
  return span;
}
