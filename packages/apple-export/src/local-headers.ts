import { open } from 'node:fs/promises';
import type { PackedFile } from './unpacked.js';

const SIGNATURE = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
const HEADER_BYTES = 30;
const WINDOW_BYTES = 1024 * 1024;
const MAX_PROBES = 2000;

/**
 * Searches an archive without a directory for local file headers. Returns the first file that `accepts` confirms. The
 * returned size extends to the end of the archive. Readers still find the file's end, because a deflate stream marks
 * its end and stored content ends with the XML document.
 */
export async function findLocalEntry(
  path: string,
  fileBytes: number,
  accepts: (file: PackedFile) => Promise<boolean>,
): Promise<PackedFile | undefined> {
  const handle = await open(path, 'r');
  const window = Buffer.allocUnsafe(WINDOW_BYTES);
  let probes = 0;
  try {
    for (let at = 0; at < fileBytes; ) {
      const { bytesRead } = await handle.read(window, 0, WINDOW_BYTES, at);
      const view = window.subarray(0, bytesRead);
      let found = view.indexOf(SIGNATURE);
      while (found >= 0 && found + HEADER_BYTES <= bytesRead) {
        const file = localFile(view, found, at, fileBytes);
        if (file !== undefined) {
          if (++probes > MAX_PROBES) return undefined;
          if (await accepts(file)) return file;
        }
        found = view.indexOf(SIGNATURE, found + 1);
      }
      if (bytesRead < WINDOW_BYTES) return undefined;
      at += WINDOW_BYTES - HEADER_BYTES;
    }
    return undefined;
  } finally {
    await handle.close();
  }
}

function localFile(view: Buffer, at: number, windowStart: number, fileBytes: number): PackedFile | undefined {
  const flags = view.readUInt16LE(at + 6);
  const method = view.readUInt16LE(at + 8);
  const nameBytes = view.readUInt16LE(at + 26);
  const extraBytes = view.readUInt16LE(at + 28);
  const encrypted = (flags & 1) !== 0;
  if (encrypted || (method !== 0 && method !== 8) || nameBytes === 0 || nameBytes > 4096) return undefined;
  const dataStart = windowStart + at + HEADER_BYTES + nameBytes + extraBytes;
  return dataStart < fileBytes ? { dataStart, packedBytes: fileBytes - dataStart, method } : undefined;
}
