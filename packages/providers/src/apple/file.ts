import { type FileAdapter, type FileEvent, type FileReadOptions, readInThread } from '../files/index.js';
import { judgeExportHead } from './file-head.js';
import type { AppleExportReport } from './import-report.js';

/**
 * Reads an export file in a thread of its own; see `FileAdapter.read`. Threads run compiled code only: from the TypeScript
 * sources the thread's program is taken from `dist`, so build (`tsc -b`) first.
 */
export function readAppleExportInThread(
  path: string,
  options?: FileReadOptions,
): AsyncGenerator<FileEvent<AppleExportReport>, void, undefined> {
  const compiled = import.meta.url.endsWith('.js') ? './export-worker.js' : '../../dist/apple/export-worker.js';
  return readInThread(new URL(compiled, import.meta.url), path, options);
}

/** The export that the phone writes: `export.xml`, the same gzipped, or the archive around it. */
export const APPLE_FILE: FileAdapter = {
  accepts: {
    extensions: ['xml', 'xml.gz', 'zip'],
    contentType: 'application/xml',
    judgeHead: judgeExportHead,
    refusal: 'The file is neither XML, gzip nor zip. Send export.xml or the export\u2019s zip.',
  },
  read: readAppleExportInThread,
};
