import { createReadStream } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { type DeliveredPart, DeliveryFault, DeliverySplitter } from './delivery-splitter.js';
import type { SplitResponse, SplitRequest } from './split-thread.js';

const READ_AT_ONCE = 256 * 1024;
/** Maximum size of one message to the main thread, which handles each message without a pause. */
const BATCH_BYTES = 256 * 1024;
const BATCH_PARTS = 500;

const port = parentPort;
if (port === null) throw new Error('This module runs only in a worker thread.');
const response = (message: SplitResponse) => port.postMessage(message);

/**
 * Callbacks by task ID. The argument is true if the main thread has handled a batch, false if the main thread stops the
 * task.
 */
const waiting = new Map<number, (goesOn: boolean) => void>();
/** Running tasks by ID. The value is false if the task was stopped between two batches. */
const running = new Map<number, boolean>();

port.on('message', (request: SplitRequest) => {
  if (request.kind === 'next' || request.kind === 'stop') {
    const { id } = request;
    waiting.get(id)?.(request.kind === 'next');
    waiting.delete(id);
    if (request.kind === 'stop' && running.has(id)) running.set(id, false);
  } else {
    running.set(request.id, true);
    split(request).then(
      (fault) => response({ kind: 'end', id: request.id, ...(fault !== undefined && { fault }) }),
      (error: unknown) => response({ kind: 'failed', id: request.id, message: String(error) }),
    );
  }
});

/** @returns the reason why the file cannot be split; undefined if the file was split or the task was stopped */
async function split(request: Extract<SplitRequest, { path: string }>): Promise<DeliveryFault['code'] | undefined> {
  const { id, kind, path, maxItemBytes } = request;
  let parts: DeliveredPart[] = [];
  let bytes = 0;
  const take = (part: DeliveredPart) => {
    parts.push(part);
    bytes += part.json.length;
  };
  const send = async (): Promise<boolean> => {
    if (running.get(id) === false) return false;
    const batch = parts;
    parts = [];
    bytes = 0;
    const handled = new Promise<boolean>((resolve) => void waiting.set(id, resolve));
    response({ kind: 'parts', id, parts: batch });
    return handled;
  };
  const splitter = new DeliverySplitter(maxItemBytes, kind === 'parts' ? take : undefined);
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: READ_AT_ONCE }) as AsyncIterable<Buffer>) {
      // Feeds the splitter small slices, so that one chunk of tiny items becomes several batches.
      for (let from = 0; from < chunk.length; from += BATCH_PARTS * 2) {
        splitter.push(chunk.subarray(from, from + BATCH_PARTS * 2));
        if ((parts.length >= BATCH_PARTS || bytes >= BATCH_BYTES) && !(await send())) return undefined;
      }
    }
    splitter.end();
    if (parts.length > 0) await send();
    return undefined;
  } catch (error) {
    if (error instanceof DeliveryFault) return error.code;
    throw error;
  } finally {
    running.delete(id);
  }
}
