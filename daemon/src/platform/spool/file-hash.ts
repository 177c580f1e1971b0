import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

/** Large pieces: a hash of many small ones takes longer than the reading. */
const HASHED_AT_ONCE = 1024 * 1024;

/** SHA-256 of a file; undefined when it is not there. */
export async function fileHash(path: string, signal: AbortSignal | undefined): Promise<Buffer | undefined> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!file) return undefined;
  try {
    const hash = createHash('sha256');
    // One buffer for the whole file: a new one for each piece made V8 look for garbage every 20 MB.
    const piece = Buffer.allocUnsafeSlow(HASHED_AT_ONCE);
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(piece, 0, piece.length, null);
      if (bytesRead === 0) return hash.digest();
      hash.update(piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
