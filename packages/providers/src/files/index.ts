export type {
  AcceptedFiles,
  FileAdapter,
  FileEvent,
  FileLimits,
  FileProgress,
  FileReadOptions,
  HeadVerdict,
} from './file-adapter.js';
export type { FileFault, FileReport } from './file-report.js';
export { readInThread } from './read-in-thread.js';
export { type FileSink, serveReading } from './serve-reading.js';
