import { Worker } from 'node:worker_threads';
import { DECIDE_LIMITS, MS_PER_SECOND } from '@healthd/model';
import type { Prerequisite } from '../../platform/database/index.js';
import type { DecisionInput, DecisionName, DecisionOutput } from '../decide/decisions.js';
import { Turns } from '../../platform/turns.js';
import type { OffsetTimeline, TimelineData } from '../facts/offsets/offset-timeline.js';
import { type Portion, PortionedValue, portionsOf } from './portions.js';

/** A batch exceeds the time or memory limit of a decision. Only this batch fails, and a retry does not help. */
export class DecideLimitError extends Error {
  override readonly name = 'DecideLimitError';
  readonly code = 'decide_limit_exceeded';

  constructor(
    readonly limit: 'time' | 'memory',
    options?: ErrorOptions,
  ) {
    const { seconds, megabytes } = DECIDE_LIMITS;
    const allowed = limit === 'time' ? `${seconds} seconds` : `${megabytes} MB of memory`;
    super(`Cannot compare the data with the stored data within ${allowed}.`, options);
  }
}

/**
 * Maximum size of the young generation. Node lets a thread use 16 MB beyond its memory limit while it stops the thread.
 * Promoting a larger young generation at once can exceed that and abort the whole process.
 */
const YOUNG_MB = 8;

/**
 * Message to the thread: a portion of the input, the decision to make with it, or a request for the output's next
 * portion. The thread sends one portion at a time, because all queued messages arrive in one turn of the event loop.
 */
export type DecideRequest = { input: Portion } | { name: DecisionName; timeline: TimelineData } | { next: true };

/** Response of the thread. */
export type DecideResponse = { output: Portion; isLast: boolean } | { error: Error };

export interface DecideThreadOptions {
  threads: number;
  /** Overrides a batch's time limit. */
  limitMs?: number | undefined;
  /** Overrides the maximum size that is decided without a thread. */
  inlineItems?: number | undefined;
  /** Overrides a thread's memory limit. */
  megabytes?: number | undefined;
  /** Overrides the thread's program. */
  program?: URL | undefined;
}

/**
 * Threads that decide about large batches. A transaction acquires a thread exclusively before it locks anything. A
 * thread starts with its first decision and restarts after it was stopped. An idle thread does not keep the process
 * alive.
 *
 * Threads run compiled code only. When run from TypeScript sources, the thread's program is loaded from `dist`.
 */
export class DecideThreads implements Prerequisite<DecideThread> {
  readonly limitMs: number;
  readonly inlineItems: number;
  readonly #free: DecideThread[];
  readonly #all: readonly DecideThread[];
  readonly #waiting: { resolve(thread: DecideThread): void; reject(error: Error): void }[] = [];
  #isClosed = false;

  constructor({
    threads,
    limitMs,
    inlineItems,
    megabytes = DECIDE_LIMITS.megabytes,
    program = usualProgram(),
  }: DecideThreadOptions) {
    this.limitMs = limitMs ?? DECIDE_LIMITS.seconds * MS_PER_SECOND;
    this.inlineItems = inlineItems ?? DECIDE_LIMITS.inlineItems;
    this.#all = Array.from({ length: threads }, () => new DecideThread(program, megabytes));
    this.#free = [...this.#all];
  }

  /** Acquires a thread in first-come order. */
  acquire(): Promise<DecideThread> {
    if (this.#isClosed) return Promise.reject(closedError());
    const thread = this.#free.pop();
    if (thread) return Promise.resolve(thread);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  release(thread: DecideThread): void {
    const next = this.#waiting.shift();
    if (next) next.resolve(thread);
    else this.#free.push(thread);
  }

  /** Stops all threads and rejects running and queued decisions. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closedError());
    await Promise.all(this.#all.map((thread) => thread.end(closedError())));
  }
}

/** A thread that makes one decision at a time. */
export class DecideThread {
  #worker: Worker | undefined;
  #current: { output: PortionedValue; resolve(output: unknown): void; reject(error: Error): void } | undefined;

  constructor(
    private readonly program: URL,
    private readonly megabytes: number,
  ) {}

  /** @param limitMs time after which the thread is stopped @throws DecideLimitError */
  async decide<Name extends DecisionName>(
    name: Name,
    input: DecisionInput<Name>,
    { timeline, limitMs }: { timeline: OffsetTimeline; limitMs: number },
  ): Promise<DecisionOutput<Name>> {
    const worker = this.#running();
    worker.ref();
    const timer = setTimeout(() => void this.end(new DecideLimitError('time')), limitMs);
    try {
      const decided = new Promise<unknown>((resolve, reject) => {
        this.#current = { output: new PortionedValue(), resolve, reject };
      });
      await Promise.race([decided, this.#send(worker, input)]);
      post(worker, { name, timeline: timeline.data() });
      return (await decided) as DecisionOutput<Name>;
    } finally {
      clearTimeout(timer);
      this.#current = undefined;
      worker.unref();
    }
  }

  async end(error: Error): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#current?.reject(error);
    await worker?.terminate();
  }

  /** Sends a decision's input and yields between its portions, until the thread is stopped. */
  async #send(worker: Worker, input: unknown): Promise<void> {
    const turns = new Turns();
    for (const portion of portionsOf(input)) {
      if (this.#worker !== worker) return;
      post(worker, { input: portion });
      await turns.yieldIfLong();
    }
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const resourceLimits = { maxOldGenerationSizeMb: this.megabytes, maxYoungGenerationSizeMb: YOUNG_MB };
    const worker = new Worker(this.program, { resourceLimits, execArgv: [] });
    worker.on('message', (response: DecideResponse) => {
      // A stopped thread may still deliver a portion, when the next decision already uses another thread.
      if (this.#worker !== worker || !this.#current) return;
      if ('error' in response) return this.#current.reject(response.error);
      this.#current.output.add(response.output);
      if (response.isLast) this.#current.resolve(this.#current.output.take());
      else setImmediate(() => post(worker, { next: true }));
    });
    const ended = (cause?: unknown) => {
      if (this.#worker === worker) void this.end(endOf(cause));
    };
    worker.on('error', ended);
    worker.on('exit', () => ended());
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}

function post(worker: Worker, request: DecideRequest): void {
  worker.postMessage(request);
}

function endOf(cause: unknown): Error {
  const { code } = (cause ?? {}) as { code?: unknown };
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return new DecideLimitError('memory', { cause });
  return new Error('The worker thread that compares batches with stored data ended.', { cause });
}

function closedError(): Error {
  return new Error('The service is stopping.');
}

function usualProgram(): URL {
  const compiled = import.meta.url.endsWith('.js')
    ? './decide-thread-program.js'
    : '../../../dist/store/write/decide-thread-program.js';
  return new URL(compiled, import.meta.url);
}
