import { Worker } from 'node:worker_threads';
import type { DeliveredPart, DeliveryFault } from './delivery-splitter.js';

export type SplitRequest =
  | { kind: 'check' | 'parts'; id: number; path: string; maxItemBytes: number }
  /** Requests the next batch. */
  | { kind: 'next'; id: number }
  | { kind: 'stop'; id: number };

export type SplitResponse =
  | { kind: 'parts'; id: number; parts: DeliveredPart[] }
  | { kind: 'end'; id: number; fault?: DeliveryFault['code'] }
  | { kind: 'failed'; id: number; message: string };

/** Heap for one item of the largest size and its copy. */
const HEAP = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/**
 * Splits delivery files in a thread, because a body of 128 MB takes seconds. The thread starts with the first file and
 * restarts if it has ended. It never keeps the process alive.
 * Threads run only compiled code: when running from TypeScript sources, the thread's program is loaded from `dist`.
 */
export class SplitThread {
  #worker: Worker | undefined;
  #lastId = 0;
  readonly #tasks = new Map<number, (response: SplitResponse | Error) => void>();

  /** @returns the reason why the file can never be split; undefined if it is complete */
  async check(path: string, maxItemBytes: number): Promise<DeliveryFault['code'] | undefined> {
    const { take, stop } = this.#begin('check', path, maxItemBytes);
    try {
      const response = await take();
      return response.kind === 'end' ? response.fault : undefined;
    } finally {
      stop();
    }
  }

  /** Yields the items of a file in batches. Ends where the file cannot be split further. */
  async *parts(path: string, maxItemBytes: number): AsyncGenerator<DeliveredPart[]> {
    const { take, next, stop } = this.#begin('parts', path, maxItemBytes);
    try {
      for (;;) {
        const response = await take();
        if (response.kind !== 'parts') return;
        // Restores the buffers, because a thread passes them as plain byte arrays.
        yield response.parts.map((part) => ({
          ...part,
          json: Buffer.from(part.json.buffer, part.json.byteOffset, part.json.length),
        }));
        next();
      }
    } finally {
      stop();
    }
  }

  #begin(kind: 'check' | 'parts', path: string, maxItemBytes: number) {
    const worker = this.#running();
    const id = ++this.#lastId;
    const responses: (SplitResponse | Error)[] = [];
    let wake = () => {};
    this.#tasks.set(id, (response) => {
      responses.push(response);
      wake();
    });
    worker.ref();
    const post = (request: SplitRequest) => worker.postMessage(request);
    post({ kind, id, path, maxItemBytes });
    return {
      take: async (): Promise<Exclude<SplitResponse, { kind: 'failed' }>> => {
        while (responses.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        const response = responses.shift() as SplitResponse | Error;
        if (response instanceof Error) throw response;
        if (response.kind === 'failed') throw new Error(`The delivery split thread failed: ${response.message}`);
        return response;
      },
      next: () => post({ kind: 'next', id }),
      stop: () => {
        post({ kind: 'stop', id });
        this.#tasks.delete(id);
        if (this.#tasks.size === 0) worker.unref();
      },
    };
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(program(), { resourceLimits: HEAP, execArgv: [] });
    worker.on('message', (response: SplitResponse) => this.#tasks.get(response.id)?.(response));
    const ended = (cause?: unknown) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      for (const fail of this.#tasks.values()) fail(new Error('The delivery split thread ended.', { cause }));
    };
    worker.on('error', ended);
    worker.on('exit', () => ended());
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}

function program(): URL {
  const compiled = import.meta.url.endsWith('.js')
    ? './split-thread-program.js'
    : '../../../dist/ingest/webhooks/split-thread-program.js';
  return new URL(compiled, import.meta.url);
}
