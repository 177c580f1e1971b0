export type {
  AcceptedFiles,
  FileAdapter,
  FileEvent,
  FileLimits,
  FileReadOptions,
  HeadVerdict,
} from './file-adapter.js';
export type { FileReport, NotImportedReason, PartOutcome, PartOutcomes } from './file-report.js';
export { readInThread } from './read-in-thread.js';
export { type FileSink, serveReading } from './serve-reading.js';
