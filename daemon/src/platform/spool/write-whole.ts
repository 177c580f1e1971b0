import type { FileHandle } from 'node:fs/promises';

/** Writes a complete chunk. A single call may write only a part of it, especially if the disk is almost full. */
export async function writeWhole(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten;
}
