import { setImmediate as nextTurn } from 'node:timers/promises';
import { deserialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { MS_PER_MINUTE, type RecordBatch } from '@healthd/model';
import type { PushReading } from '../device-push/index.js';
import type { BodyFault, PushRequest, PushResponse } from './push-messages.js';

/**
 * Heap of the thread. The largest accepted body needs a tenth of this heap, unless the body was crafted to exhaust
 * memory.
 */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };
const LIMIT_MS = MS_PER_MINUTE;

/** Thrown if a body cannot be read: it crashed the thread, took too long or made the reader fail. */
export class PushReaderError extends Error {
  override readonly name = 'PushReaderError';
  readonly code = 'push_reader_failed';
}

interface Read {
  request: Omit<PushRequest, 'id'>;
  resolve(reading: PushReading | BodyFault): void;
  reject(error: unknown): void;
}

interface PushReaderOptions {
  /** Overrides the time limit of a body. */
  limitMs?: number;
  /** Overrides the thread's program. */
  program?: URL;
}

/**
 * Reads pushed bodies in one separate thread, so that parsing blocks no request and a hostile body exhausts only that
 * thread's memory. The thread reads one body at a time. The time limit excludes the wait for other bodies, and a body
 * that crashes the thread does not affect other bodies. The thread starts with the first body and restarts after a
 * crash.
 * Threads run compiled code only and load the program from `dist`.
 */
export class PushReader {
  readonly #limitMs: number;
  readonly #program: URL;
  readonly #waiting: Read[] = [];
  #worker: Worker | undefined;
  #current: { id: number; read: Read; timer: NodeJS.Timeout } | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor({ limitMs = LIMIT_MS, program = workerProgram() }: PushReaderOptions = {}) {
    this.#limitMs = limitMs;
    this.#program = program;
  }

  /** @throws PushReaderError if the body crashes the thread, takes too long or cannot be read */
  read(request: Omit<PushRequest, 'id'>): Promise<PushReading | BodyFault> {
    if (this.#isClosed) return Promise.reject(closedError());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#startNext();
    });
  }

  /** Ends the thread and rejects running and waiting reads. */
  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closedError());
    this.#end(closedError());
  }

  #startNext(): void {
    if (this.#current) return;
    const read = this.#waiting.shift();
    if (!read) {
      this.#worker?.unref();
      return;
    }
    try {
      const worker = this.#running();
      const id = ++this.#lastId;
      // Copies the body, because drivers often return a view of a larger buffer.
      const body = Uint8Array.from(read.request.body);
      worker.postMessage({ id, ...read.request, body } satisfies PushRequest, [body.buffer]);
      worker.ref();
      const timer = setTimeout(() => this.#end(new PushReaderError('Reading a body took too long.')), this.#limitMs);
      this.#current = { id, read, timer };
    } catch (error) {
      read.reject(error);
      this.#startNext();
    }
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.#program, { resourceLimits: HEAP, execArgv: [] });
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

  async #answered({ id, reading, portions: batches = [], error }: PushResponse): Promise<void> {
    const read = this.#endCurrent(id);
    this.#startNext();
    for (const batch of batches) {
      if (!read || reading === undefined || !('batch' in reading)) break;
      await nextTurn();
      for (const record of deserialize(batch) as RecordBatch['records']) reading.batch.records.push(record);
    }
    if (reading) read?.resolve(reading);
    else read?.reject(new PushReaderError(`Reading a body failed: ${error}`));
  }

  /** Ends the thread, fails its body and continues with the next body. */
  #end(error: Error): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
    this.#endCurrent()?.reject(error);
    this.#startNext();
  }

  /** Stops tracking the body that is being read and returns it; undefined if another body is being read. */
  #endCurrent(id = this.#current?.id): Read | undefined {
    const current = this.#current;
    if (!current || current.id !== id) return undefined;
    clearTimeout(current.timer);
    this.#current = undefined;
    return current.read;
  }
}

function closedError(): Error {
  return new Error('The service is stopping.');
}

function workerProgram(): URL {
  const compiled = import.meta.url.endsWith('.js') ? './push-worker.js' : '../../dist/push-reader/push-worker.js';
  return new URL(compiled, import.meta.url);
}
