import type { Response } from 'express';

/** Passes chunks on; when the reader takes none for so long, the connection is cut, which ends the source. */
export async function* withStallTimeout<T>(
  chunks: AsyncIterable<T>,
  response: Response,
  stalledSeconds: number,
): AsyncGenerator<T> {
  for await (const chunk of chunks) {
    const stalled = setTimeout(() => response.destroy(), stalledSeconds * 1000);
    try {
      yield chunk;
    } finally {
      clearTimeout(stalled);
    }
  }
}
