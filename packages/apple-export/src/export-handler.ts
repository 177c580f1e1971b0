import type { FileKind } from './file-kinds.js';
import type { ExportLimits } from './limits.js';
import type { ScanHandler } from './scanner.js';

/** How the export is packed. */
export type ExportFormat = 'xml' | 'gzip' | 'zip';

/** How far the reading has come. For archives the bytes are packed ones. */
export interface ExportProgress {
  bytesRead: number;
  bytesTotal: number;
  recordsSeen: number;
}

/** What was in the file. */
export interface ExportSummary {
  format: ExportFormat;
  /** The file ended before `</HealthData>`; everything before the cut has been handed over. */
  truncated: boolean;
  recordCount: number;
  /** Other top-level elements by name, e.g. `Workout`, `ActivitySummary`. */
  elementCounts: Record<string, number>;
  /** Elements directly below a `Record` by name, less its metadata; none of them is read. */
  recordChildCounts: Record<string, number>;
  /** Files of an archive beside the export, by kind; empty where there is no archive, or its directory was cut off. */
  otherFiles: Partial<Record<FileKind, number>>;
}

/** What of an export is delivered, and within which limits. */
export interface ReadExportOptions {
  limits?: Partial<ExportLimits>;
  /** Top-level elements that are delivered whole. */
  wholeElements?: Iterable<string>;
  /** Keys of Record metadata to keep. */
  metadataKeys?: Iterable<string>;
}

/** What an export is handed over to. */
export interface ExportHandler extends ScanHandler {
  /** After every chunk (256 KiB or less); reading waits for the promise. Throw to stop. */
  onChunk?(progress: ExportProgress): void | Promise<void>;
}
