import type { FileKind } from './file-kinds.js';
import type { ExportLimits } from './limits.js';
import type { ScanHandler } from './scanner.js';

/** Compression of the export. */
export type ExportFormat = 'xml' | 'gzip' | 'zip';

/** Read position of the import, in bytes; for archives, in compressed bytes. */
export interface ExportProgress {
  bytesRead: number;
  bytesTotal: number;
  recordsSeen: number;
}

/** Content of the file. */
export interface ExportSummary {
  format: ExportFormat;
  /** True if the file ended before `</HealthData>`. All data before the cut was delivered. */
  truncated: boolean;
  recordCount: number;
  /** Number of other top-level elements by name, e.g. `Workout`, `ActivitySummary`. */
  elementCounts: Record<string, number>;
  /** Number of elements directly below a `Record`, except metadata, by name. */
  recordChildCounts: Record<string, number>;
  /** Number of other files in the archive, by type; empty if there is no archive, or its directory was cut off. */
  otherFiles: Partial<Record<FileKind, number>>;
  /** Number of further files in the archive that contain no data of the phone. */
  skippedFiles: SkippedFiles;
}

/** Files without content, and files that another system's archiver added. */
export interface SkippedFiles {
  empty: number;
  archiver: number;
}

/** Parts of an export to deliver, and limits. */
export interface ReadExportOptions {
  limits?: Partial<ExportLimits>;
  /** Top-level elements to deliver completely. */
  wholeElements?: Iterable<string>;
  /** Keys of Record metadata to store. */
  metadataKeys?: Iterable<string>;
  /** True to deliver the beats of variability records. */
  beatLists?: boolean;
}

/** Receives the content of an export. */
export interface ExportHandler extends ScanHandler {
  /** Called after every chunk (at most 256 KiB). Reading waits for the promise. Throw to stop. */
  onChunk?(progress: ExportProgress): void | Promise<void>;
}
