import { Worker } from 'node:worker_threads';
import type { FileEvent, FileReadOptions } from './file-adapter.js';
import type { FileReport } from './file-report.js';

/**
 * Heap limits of the reading thread. Reading needs a tenth of the old generation's limit. The limit protects the
 * service's memory from a leak in the thread. A young generation smaller than the default saves 25 MB without loss of
 * speed.
 */
const HEAP = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };

/** Reads a file in a thread that runs a `serveReading` program; see `FileAdapter.read`. */
export async function* readInThread<Report extends FileReport>(
  program: URL,
  path: string,
  { signal, ...options }: FileReadOptions = {},
): AsyncGenerator<FileEvent<Report>, void, undefined> {
  signal?.throwIfAborted();
  const worker = new Worker(program, { workerData: { path, options }, resourceLimits: HEAP, execArgv: [] });
  const inbox: FileEvent<Report>[] = [];
  let failure: { error: unknown } | undefined;
  let ended = false;
  let wake = () => {};
  const fail = (error: unknown) => {
    failure ??= { error };
    wake();
  };
  const abort = () => fail(signal?.reason);
  worker.on('message', (message: FileEvent<Report>) => {
    inbox.push(message);
    wake();
  });
  worker.on('error', fail);
  worker.on('exit', () => {
    ended = true;
    wake();
  });
  signal?.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      if (failure) throw failure.error;
      const message = inbox.shift();
      if (message) {
        yield message;
        if (message.kind === 'batch') worker.postMessage('stored');
        if (message.kind === 'end') return;
      } else if (ended) {
        throw new Error('The thread that reads the file ended without a report.');
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
