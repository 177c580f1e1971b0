import { Readable } from 'node:stream';
import { constants } from 'node:zlib';
import { ZipFile } from 'yazl';

export interface ZipFileEntry {
  /** A name that ends with a slash is a folder without content. */
  name: string;
  content: AsyncIterable<Buffer> | Buffer;
  stored?: boolean;
}

/** Time of all files. It is constant, so that equal content yields equal bytes. */
const WRITTEN_AT = new Date('2026-03-15T00:00:00Z');

/**
 * Writes an archive in one pass, like a phone, so each file's size follows its data. Deflates every file that is not
 * marked as stored.
 * @param options.zip64 true to use the 64-bit format, which archives beyond 4 GiB need
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
