import type { RecordBatch } from '@healthd/model';
import type { FileReport } from './file-report.js';

/** Result of checking the first bytes of a file; `undecided` until more bytes are available. */
export type HeadVerdict = 'possible' | 'impossible' | 'undecided';

/** Files that a provider accepts as uploads. */
export interface AcceptedFiles {
  /** File extensions without the dot. Files without a name get the first extension. */
  extensions: readonly [string, ...string[]];
  /** Media type of an uncompressed file. */
  contentType: string;
  /** Checks the first bytes, so that a photo sent by mistake is rejected early. */
  judgeHead(head: Uint8Array): HeadVerdict;
  /** Error message for other files. */
  refusal: string;
}

/** Limits that protect against decompression bombs. */
export interface FileLimits {
  /** Size after decompression. */
  maxUnpackedBytes: number;
  /** Decompressed bytes per compressed byte. */
  maxRatio: number;
}

export interface FileReadOptions {
  limits?: Partial<FileLimits>;
  /** Maximum number of samples in a batch; the adapter chooses by default. */
  batchSamples?: number;
  /** Stops the reading. The iteration then throws the signal's reason. */
  signal?: AbortSignal;
}

/** Progress of reading a file, in bytes of the received file. */
export interface FileProgress {
  bytesRead: number;
  bytesTotal: number;
  recordsSeen: number;
}

/** Events while reading a file: batches in file order, progress in between, the report at the end. */
export type FileEvent<Report extends FileReport = FileReport> =
  | { kind: 'batch'; batch: RecordBatch }
  | { kind: 'progress'; progress: FileProgress }
  | { kind: 'end'; report: Report };

/** Reads the files of one provider. */
export interface FileAdapter {
  accepts: AcceptedFiles;
  /**
   * Reads a file in a separate thread. Store each `batch` before requesting the next item, which limits the memory.
   * Leaving the loop early ends the thread. The report contains faults of the file. Throws only file system errors and
   * the signal's reason.
   */
  read(path: string, options?: FileReadOptions): AsyncIterable<FileEvent>;
}
