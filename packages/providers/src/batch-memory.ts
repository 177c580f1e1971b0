import type { RecordBatch } from '@healthd/model';

/** Returns the memory of a batch, to be transferred instead of copied. */
export function transferables({ samples }: RecordBatch): ArrayBuffer[] {
  const columns = [
    samples.sourceIndex,
    samples.typeId,
    samples.kind,
    samples.idHash,
    samples.startMs,
    samples.durationMs,
    samples.offsetMinutes,
    samples.value,
    ...(samples.pushed ? Object.values(samples.pushed) : []),
  ];
  return columns.map((column) => column.buffer as ArrayBuffer);
}
