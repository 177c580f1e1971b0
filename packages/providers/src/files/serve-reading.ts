import { parentPort, workerData } from 'node:worker_threads';
import type { RecordBatch } from '@healthd/model';
import { transferables } from '../batch-memory.js';
import type { FileEvent, FileProgress, FileReadOptions } from './file-adapter.js';
import type { FileReport } from './file-report.js';

const PROGRESS_EVERY_MS = 200;
// The service stores one batch while the thread reads the next batch.
const MAX_UNACKNOWLEDGED = 2;

/** Receives batches. Reading waits for every promise. */
export interface FileSink {
  onBatch(batch: RecordBatch): void | Promise<void>;
  onProgress?(progress: FileProgress): void | Promise<void>;
}

/** Runs the program of a thread that `readInThread` starts: reads one file and sends batches as they are accepted. */
export async function serveReading<Report extends FileReport>(
  read: (path: string, sink: FileSink, options: Omit<FileReadOptions, 'signal'>) => Promise<Report>,
): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('This module runs in a worker thread only.');
  const { path, options } = workerData as { path: string; options: Omit<FileReadOptions, 'signal'> };
  const send = (message: FileEvent<Report>, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  let unacknowledged = 0;
  let resume: (() => void) | undefined;
  let lastProgress = 0;
  port.on('message', () => {
    unacknowledged--;
    resume?.();
  });
  const report = await read(
    path,
    {
      onBatch: async (batch) => {
        unacknowledged++;
        send({ kind: 'batch', batch }, transferables(batch));
        while (unacknowledged >= MAX_UNACKNOWLEDGED) {
          await new Promise<void>((resolve) => {
            resume = resolve;
          });
        }
      },
      onProgress: (progress) => {
        const now = performance.now();
        if (now - lastProgress < PROGRESS_EVERY_MS && progress.bytesRead < progress.bytesTotal) return;
        lastProgress = now;
        send({ kind: 'progress', progress });
      },
    },
    options,
  );
  send({ kind: 'end', report });
  port.close();
}
