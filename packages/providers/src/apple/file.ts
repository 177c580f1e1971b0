import {
  type FileAdapter,
  type FileEvent,
  type FileReadOptions,
  type HeadVerdict,
  readInThread,
} from '../files/index.js';
import type { AppleExportReport } from './import-report.js';

const HEAD_BYTES = 1024;

/**
 * Checks whether a file can be an export: gzip, zip, or text that starts with `<` after a byte order mark and blanks.
 * Accepts UTF-16 too; the reader reports that it is unsupported.
 */
function checkExportHead(head: Uint8Array): HeadVerdict {
  if (head.length < 4) return 'undecided';
  const [a, b, c, d] = head;
  if (a === 0x1f && b === 0x8b) return 'possible';
  if (a === 0x50 && b === 0x4b && ((c === 3 && d === 4) || (c === 5 && d === 6))) return 'possible';
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return 'possible';
  let at = a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0;
  while (at < head.length && isBlank(head[at])) at++;
  if (at < head.length) return head[at] === 0x3c ? 'possible' : 'impossible';
  return head.length < HEAD_BYTES ? 'undecided' : 'impossible';
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/**
 * Reads an export file in a separate thread; see `FileAdapter.read`. Threads run compiled code only and load the
 * program from `dist`, so build (`tsc -b`) first.
 */
export function readAppleExportInThread(
  path: string,
  options?: FileReadOptions,
): AsyncGenerator<FileEvent<AppleExportReport>, void, undefined> {
  const compiled = import.meta.url.endsWith('.js') ? './export-worker.js' : '../../dist/apple/export-worker.js';
  return readInThread(new URL(compiled, import.meta.url), path, options);
}

/** The phone's export: `export.xml`, a gzipped `export.xml`, or the archive around it. */
export const APPLE_FILE: FileAdapter = {
  accepts: {
    extensions: ['xml', 'xml.gz', 'zip'],
    contentType: 'application/xml',
    judgeHead: checkExportHead,
    refusal: 'The file is neither XML, gzip nor zip. Send export.xml or the export\u2019s zip.',
  },
  read: readAppleExportInThread,
};
