import { setImmediate as nextTurn } from 'node:timers/promises';
import { deserialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { MS_PER_MINUTE, type RecordBatch } from '@healthd/model';
import type { PushReading } from '../device-push/index.js';
import type { BodyFault, PushRequest, PushResponse } from './push-messages.js';

/** The largest accepted body needs a tenth of this, unless it was crafted to exhaust memory. */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };
const LIMIT_MS = MS_PER_MINUTE;

/** The thread ended or timed out, because of the body or a lack of memory. */
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
 * Reads pushed bodies in one separate thread, so that parsing blocks no request and a hostile body exhausts only that
 * thread's memory. The thread starts with the first body and restarts after it ended.
 *
 * Threads run compiled code only and load the program from `dist`.
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
      // Copies the body, because drivers often return a view of a larger buffer.
      const body = Uint8Array.from(request.body);
      worker.postMessage({ id, ...request, body } satisfies PushRequest, [body.buffer]);
    });
  }

  /** Ends the thread and rejects pending reads. */
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
