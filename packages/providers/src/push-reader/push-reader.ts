import { setImmediate as nextTurn } from 'node:timers/promises';
import { deserialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { MS_PER_MINUTE, type RecordBatch } from '@healthd/model';
import type { PushReading } from '../device-push/index.js';
import type { BodyFault, PushRequest, PushResponse } from './push-messages.js';

/** A body of the largest accepted size needs a tenth of this, unless it was made to use memory up. */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };
const LIMIT_MS = MS_PER_MINUTE;

/** The thread ended or took too long: by what the body made it do, or because the process is short of memory. */
export class PushReaderError extends Error {
  override readonly name = 'PushReaderError';
  readonly code = 'push_reader_failed';
}

interface Waiting {
  resolve(reading: PushReading | BodyFault): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/**
 * Reads pushed bodies in one thread of its own, so that parsing holds up no request and a hostile body takes that
 * thread's memory alone. The thread starts with the first body and again after it has ended.
 *
 * Threads run compiled code only: from the TypeScript sources the thread's program is taken from `dist`.
 */
export class PushReader {
  #worker: Worker | undefined;
  #lastId = 0;
  readonly #waiting = new Map<number, Waiting>();

  /** @throws PushReaderError */
  read(request: Omit<PushRequest, 'id'>): Promise<PushReading | BodyFault> {
    const worker = this.#running();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#end(new PushReaderError('Reading a body took too long.')), LIMIT_MS);
      this.#waiting.set(id, { resolve, reject, timer });
      worker.ref();
      // A copy of its own: what a driver hands out is often a window into a larger piece of memory.
      const body = Uint8Array.from(request.body);
      worker.postMessage({ id, ...request, body } satisfies PushRequest, [body.buffer]);
    });
  }

  /** Ends the thread; what waits is rejected. */
  close(): void {
    this.#end(new PushReaderError('The reader was closed.'));
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(workerProgram(), { resourceLimits: HEAP, execArgv: [] });
    worker.on('message', (response: PushResponse) => void this.#answered(response));
    const ended = (cause?: unknown) => {
      if (this.#worker === worker) this.#end(new PushReaderError('The reading thread has ended.', { cause }));
    };
    worker.on('error', ended);
    worker.on('exit', () => ended());
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  async #answered({ id, reading, portions = [], error }: PushResponse): Promise<void> {
    for (const portion of portions) {
      if (reading === undefined || !('batch' in reading)) break;
      await nextTurn();
      for (const record of deserialize(portion) as RecordBatch['records']) reading.batch.records.push(record);
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if (!waiting) return;
    clearTimeout(waiting.timer);
    if (reading) waiting.resolve(reading);
    else waiting.reject(new PushReaderError(`Reading a body failed: ${error}`));
  }

  #end(error: PushReaderError): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
  }
}

function workerProgram(): URL {
  const compiled = import.meta.url.endsWith('.js') ? './push-worker.js' : '../../dist/push-reader/push-worker.js';
  return new URL(compiled, import.meta.url);
}
