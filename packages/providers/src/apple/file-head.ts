import type { HeadVerdict } from '../files/index.js';

const HEAD_BYTES = 1024;

/**
 * Whether a file can be an export: gzip, zip, or text that begins with `<` after a byte order mark and blanks. UTF-16 passes; the reader then says that it cannot read it.
 */
export function judgeExportHead(head: Uint8Array): HeadVerdict {
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
