import type { RecordBatch } from '@healthd/model';
import type { FileReport } from './file-report.js';

/** Whether the beginning of a file can be one of a provider's; `undecided` until enough of it is known. */
export type HeadVerdict = 'possible' | 'impossible' | 'undecided';

/** Which files a provider's users may hand over. */
export interface AcceptedFiles {
  /** Endings of their names without the first dot; the first is given to files without a name. */
  extensions: readonly [string, ...string[]];
  /** Media type of a file that is not packed. */
  contentType: string;
  /** A first look at the bytes, so that a photo sent by mistake is refused at the door. */
  judgeHead(head: Uint8Array): HeadVerdict;
  /** What is answered to any other file. */
  refusal: string;
}

/** Bounds against files that unpack to more than any honest one. */
export interface FileLimits {
  /** Size after unpacking. */
  maxUnpackedBytes: number;
  /** Unpacked bytes per packed byte. */
  maxRatio: number;
}

export interface FileReadOptions {
  limits?: Partial<FileLimits>;
  /** Samples that one batch holds at most; the adapter's own choice without it. */
  batchSamples?: number;
  /** Stops the reading; the iteration then throws the signal's reason. */
  signal?: AbortSignal;
}

/** How far a file has been read. Bytes are those of the file as it was received. */
export interface FileProgress {
  bytesRead: number;
  bytesTotal: number;
  recordsSeen: number;
}

/** What comes of reading a file: batches in file order, progress in between, the report at the end. */
export type FileEvent<Report extends FileReport = FileReport> =
  | { kind: 'batch'; batch: RecordBatch }
  | { kind: 'progress'; progress: FileProgress }
  | { kind: 'end'; report: Report };

/** How the files of one provider are read. */
export interface FileAdapter {
  accepts: AcceptedFiles;
  /**
   * Reads a file in a thread of its own. A `batch` is to be stored before the next item is requested: that is what
   * bounds the memory. Leaving the loop early ends the thread. Faults of the file are in the report; only the file
   * system's errors and the signal's reason are thrown.
   */
  read(path: string, options?: FileReadOptions): AsyncIterable<FileEvent>;
}
