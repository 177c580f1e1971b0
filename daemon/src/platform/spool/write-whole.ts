import type { FileHandle } from 'node:fs/promises';

/** Writes a complete piece. One call may write only a part of it, especially if the disk is almost full. */
export async function writeWhole(handle: FileHandle, piece: Buffer): Promise<void> {
  for (let at = 0; at < piece.length; ) at += (await handle.write(piece, at)).bytesWritten;
}
