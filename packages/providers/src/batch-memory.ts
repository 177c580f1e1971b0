import type { RecordBatch } from '@healthd/model';

/** The memory of a batch that changes hands instead of being copied. */
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
