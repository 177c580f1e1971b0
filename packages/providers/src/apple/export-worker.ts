import { parentPort, workerData } from 'node:worker_threads';
import { transferables } from '../batch-memory.js';
import type { WorkerMessage } from './export-messages.js';
import { type AppleExportOptions, readAppleExport } from './read-apple-export.js';

const PROGRESS_EVERY_MS = 200;
// One batch is being stored while the next one is being read.
const MAX_UNACKNOWLEDGED = 2;

const port = parentPort;
if (port === null) throw new Error('This module runs in a worker thread only.');
const { path, options } = workerData as { path: string; options: AppleExportOptions };

let unacknowledged = 0;
let resume: (() => void) | undefined;
let lastProgress = 0;

port.on('message', () => {
  unacknowledged--;
  resume?.();
});

const report = await readAppleExport(
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

function send(message: WorkerMessage, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}
