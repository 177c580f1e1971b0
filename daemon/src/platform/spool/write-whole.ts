import type { FileHandle } from 'node:fs/promises';

/** Writes a complete piece: one call may write only a part of it, above all on a disk that is almost full. */
export async function writeWhole(handle: FileHandle, piece: Buffer): Promise<void> {
  for (let at = 0; at < piece.length; ) at += (await handle.write(piece, at)).bytesWritten;
}
