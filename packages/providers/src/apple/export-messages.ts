import type { ExportProgress } from '@healthd/apple-export';
import type { RecordBatch } from '@healthd/model';
import type { AppleExportReport } from './import-report.js';

/** What the reading thread tells: batches in file order, progress in between, the report at the end. */
export type WorkerMessage =
  | { kind: 'batch'; batch: RecordBatch }
  | { kind: 'progress'; progress: ExportProgress }
  | { kind: 'end'; report: AppleExportReport };
