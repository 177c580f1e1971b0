import { ExportError } from './errors.js';
import type { ExportLimits } from './limits.js';
import { ExportScanner } from './scanner.js';

const NOTHING: ReadonlySet<string> = new Set();

/** True if the bytes are XML whose root is a `HealthData` element. Reads only up to that start tag. */
export async function isHealthData(chunks: AsyncIterable<Buffer>, limits: ExportLimits): Promise<boolean> {
  const ignore = { onRecord: () => {}, onElement: () => {} };
  const scanner = new ExportScanner(ignore, {
    limits,
    wholeElements: NOTHING,
    metadataKeys: NOTHING,
    beatLists: false,
  });
  let first = true;
  try {
    for await (const chunk of chunks) {
      scanner.write(first ? chunk.subarray(xmlStart(chunk)) : chunk);
      first = false;
      if (scanner.opened) return true;
    }
  } catch (error) {
    if (scanner.opened) return true;
    if (error instanceof ExportError) return false;
    throw error;
  }
  return false;
}

/**
 * Returns the number of bytes of a byte order mark at the start.
 * @throws ExportError `not_xml`, `encoding_unsupported`
 */
export function xmlStart(head: Buffer): number {
  const [a, b, c] = head;
  if ((a === 0xfe && b === 0xff) || (a === 0xff && b === 0xfe)) throw new ExportError('encoding_unsupported');
  if ((a === 0x3c && b === 0) || (a === 0 && b === 0x3c)) throw new ExportError('encoding_unsupported');
  const start = a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0;
  let at = start;
  while (at < head.length && head[at]! <= 0x20 && head[at] !== 0) at++;
  if (at < head.length && head[at] !== 0x3c) throw new ExportError('not_xml');
  const declaration = /^<\?xml[^>]*encoding\s*=\s*["']([^"']*)["']/.exec(head.toString('latin1', at, at + 200));
  if (declaration && !/^(utf-?8|us-ascii|ascii)$/i.test(declaration[1]!)) throw new ExportError('encoding_unsupported');
  return start;
}
