import { Worker } from 'node:worker_threads';
import type { WorkerMessage } from './export-messages.js';
import type { AppleExportOptions } from './read-apple-export.js';

/**
 * Heap of the reading thread. It needs a tenth of the old generation; a fault there must not take the service's memory.
 * A young generation smaller than the default saves 25 MB and costs no speed.
 */
const HEAP = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };

export interface ExportReaderOptions extends AppleExportOptions {
  /** Stops the reading; the iteration then throws the signal's reason. */
  signal?: AbortSignal;
}

/**
 * Reads an export file in a thread of its own. Iterate it: `batch` items are to be stored before the next item is asked
 * for (that is what bounds the memory), `progress` items come in between, one `end` item with the report comes last.
 * Leaving the loop early ends the thread.
 *
 * Threads run compiled code only: from the TypeScript sources the thread's program is taken from `dist`, so build
 * (`tsc -b`) first.
 */
export async function* readAppleExportInThread(
  path: string,
  { signal, ...options }: ExportReaderOptions = {},
): AsyncGenerator<WorkerMessage, void, undefined> {
  signal?.throwIfAborted();
  const worker = new Worker(workerProgram(), {
    workerData: { path, options },
    resourceLimits: HEAP,
    execArgv: [],
  });
  const inbox: WorkerMessage[] = [];
  let failure: { error: unknown } | undefined;
  let ended = false;
  let wake = () => {};
  const fail = (error: unknown) => {
    failure ??= { error };
    wake();
  };
  const abort = () => fail(signal?.reason);
  worker.on('message', (message: WorkerMessage) => {
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
        throw new Error('The thread that reads the export ended without a report.');
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

function workerProgram(): URL {
  const compiled = import.meta.url.endsWith('.js') ? './export-worker.js' : '../../dist/apple/export-worker.js';
  return new URL(compiled, import.meta.url);
}
