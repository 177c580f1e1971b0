import { Worker } from 'node:worker_threads';
import type { ParsedJson } from './read-json.js';

/** Memory limits of the thread. They are many times the need of the largest body of a route. */
const HEAP = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

interface Waiting {
  resolve(parsed: ParsedJson): void;
  reject(error: Error): void;
}

/**
 * Parses JSON in a separate thread. Starts the thread with the first text, and again if it has ended. The thread never
 * keeps the process alive, so it needs no closing.
 * Threads run only compiled code. When running from TypeScript sources, the thread's program is loaded from `dist`.
 */
export class JsonThread {
  #worker: Worker | undefined;
  /** Pending requests, in the order in which the thread responds. */
  #waiting: Waiting[] = [];

  /** @throws Error if the thread ends before it responds */
  parse(text: Uint8Array): Promise<ParsedJson> {
    const worker = this.#running();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      worker.ref();
      // Copies the text, because it is often a view into a larger buffer.
      const copy = Uint8Array.from(text);
      worker.postMessage(copy, [copy.buffer]);
    });
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(program(), { resourceLimits: HEAP, execArgv: [] });
    worker.on('message', (parsed: ParsedJson) => {
      this.#waiting.shift()?.resolve(parsed);
      if (this.#waiting.length === 0) worker.unref();
    });
    const ended = (cause?: unknown) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      for (const { reject } of this.#waiting) reject(new Error('The JSON thread has ended.', { cause }));
      this.#waiting = [];
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
    ? './json-thread-program.js'
    : '../../../dist/platform/json/json-thread-program.js';
  return new URL(compiled, import.meta.url);
}
