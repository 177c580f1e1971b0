import { Readable } from 'node:stream';
import { constants } from 'node:zlib';
import { ZipFile } from 'yazl';

export interface ZipFileEntry {
  /** A name that ends with a slash is a folder, which has no content. */
  name: string;
  content: AsyncIterable<Buffer> | Buffer;
  stored?: boolean;
}

/** The same bytes for the same content. */
const WRITTEN_AT = new Date('2026-03-15T00:00:00Z');

/**
 * An archive as a phone writes it: in one pass, so that sizes follow the data, each file deflated unless it says
 * otherwise.
 * @param options.zip64 use the 64-bit form throughout, which archives beyond 4 GiB need
 */
export function zipBytes(entries: Iterable<ZipFileEntry>, { zip64 = false } = {}): AsyncIterable<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.once('error', (error: Error) => output.destroy(error));
  for (const { name, content, stored = false } of entries) {
    if (name.endsWith('/')) {
      zip.addEmptyDirectory(name, { mtime: WRITTEN_AT });
      continue;
    }
    const chunks = Buffer.isBuffer(content) ? [content] : content;
    const compressionLevel = stored ? constants.Z_NO_COMPRESSION : constants.Z_BEST_SPEED;
    const options = { mtime: WRITTEN_AT, compressionLevel, compress: !stored, forceZip64Format: zip64 };
    zip.addReadStreamLazy(name, options, (take) => take(null, Readable.from(chunks)));
  }
  zip.end({ forceZip64Format: zip64, comment: '' });
  return output as AsyncIterable<Buffer>;
}
