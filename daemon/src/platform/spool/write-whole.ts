import type { FileHandle } from 'node:fs/promises';

/** Writes all of a piece: one call may write less than it was given, above all on a disk that is about to be full. */
export async function writeWhole(handle: FileHandle, piece: Buffer): Promise<void> {
  for (let at = 0; at < piece.length; ) at += (await handle.write(piece, at)).bytesWritten;
}
