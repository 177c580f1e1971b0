import type { ExportProgress } from '@healthd/apple-export';
import type { RecordBatch } from '@healthd/model';
import type { AppleExportReport } from './import-report.js';

/** What the reading thread tells: batches in file order, progress in between, the report at the end. */
export type WorkerMessage =
  | { kind: 'batch'; batch: RecordBatch }
  | { kind: 'progress'; progress: ExportProgress }
  | { kind: 'end'; report: AppleExportReport };

/** The memory of a batch that changes hands instead of being copied. */
export function transferables({ samples }: RecordBatch): ArrayBuffer[] {
  const columns = [
    samples.sourceIndex,
    samples.typeId,
    samples.kind,
    samples.startMs,
    samples.durationMs,
    samples.offsetMinutes,
    samples.value,
  ];
  return columns.map((column) => column.buffer as ArrayBuffer);
}
