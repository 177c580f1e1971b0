import { type FileHandle, open } from 'node:fs/promises';

const END_SIGNATURE = Buffer.from('PK\u0005\u0006', 'latin1');
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
/** Part of the directory to read. The names at its start suffice to recognize an archive. */
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024;

/** Returns the names of the files in a zip archive; empty if the directory is missing or in the 64-bit format. */
export async function zipNames(path: string): Promise<string[]> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const end = await bytesAt(file, Math.max(0, size - END_BYTES - MAX_COMMENT_BYTES), END_BYTES + MAX_COMMENT_BYTES);
    const at = end.lastIndexOf(END_SIGNATURE);
    if (at < 0 || at + END_BYTES > end.length) return [];
    const length = Math.min(MAX_DIRECTORY_BYTES, end.readUInt32LE(at + 12));
    return namesIn(await bytesAt(file, end.readUInt32LE(at + 16), length));
  } finally {
    await file.close();
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function namesIn(directory: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at + ENTRY_BYTES <= directory.length && directory.readUInt32LE(at) === ENTRY_SIGNATURE; ) {
    const nameBytes = directory.readUInt16LE(at + 28);
    names.push(directory.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes));
    at += ENTRY_BYTES + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return names;
}
