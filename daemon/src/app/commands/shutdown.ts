/** Time after which a hanging stop is aborted. Acknowledged data is durable anyway. */
const STOP_DEADLINE_SECONDS = 9;
/** Time after which an interrupted start is aborted if it has not stopped at its next step. */
const GIVE_UP_SECONDS = 5;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Ends the process in an orderly way, even during startup. Each started part pushes its cleanup function on a stack; a
 * signal or a failure runs the stack in reverse order.
 */
export class Shutdown {
  readonly #interruption = new AbortController();
  readonly #steps: (() => Promise<void>)[] = [];
  #isStarting = true;
  #undone = Promise.resolve(true);

  constructor() {
    for (const signal of SIGNALS) process.on(signal, () => this.#interrupt());
  }

  /** Aborted by the first signal, which cancels slow startup steps. */
  get interrupted(): AbortSignal {
    return this.#interruption.signal;
  }

  defer(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** Call when the start is complete. Until then, a signal makes the start fail; afterward, it ends the process. */
  started(): void {
    this.interrupted.throwIfAborted();
    this.#isStarting = false;
  }

  /** Runs the cleanup functions and prints failures. @returns true if all succeeded */
  undo(): Promise<boolean> {
    this.#undone = this.#undone.then(async (worked) => (await this.#undo()) && worked);
    return this.#undone;
  }

  /** Runs the cleanup functions and ends the process. */
  async end(code: number): Promise<never> {
    setTimeout(() => process.exit(1), STOP_DEADLINE_SECONDS * 1000).unref();
    process.exit((await this.undo()) ? code : 1);
  }

  /** Handles a signal. A second signal ends the process immediately, because acknowledged data is already durable. */
  #interrupt(): void {
    if (this.interrupted.aborted) process.exit(130);
    this.#interruption.abort();
    console.error('Stopping; work in progress finishes or resumes at the next start.');
    if (this.#isStarting) setTimeout(() => void this.end(1), GIVE_UP_SECONDS * 1000).unref();
    else void this.end(0);
  }

  async #undo(): Promise<boolean> {
    let worked = true;
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      await step().catch((error: unknown) => {
        console.error(error);
        worked = false;
      });
    }
    return worked;
  }
}
