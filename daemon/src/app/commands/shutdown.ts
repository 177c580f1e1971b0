/** After this time a stop that hangs is cut off; what was acknowledged is durable anyway. */
const STOP_DEADLINE_SECONDS = 9;
/** A start that was interrupted gives up at its next step; one that hangs is cut off after this time. */
const GIVE_UP_SECONDS = 5;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * The end of the process in order, from its first line on: each part that has started puts its own end on the stack, and a
 * signal or a failure takes it from there, the last one first.
 */
export class Shutdown {
  readonly #interruption = new AbortController();
  readonly #steps: (() => Promise<void>)[] = [];
  #isStarting = true;
  #undone = Promise.resolve(true);

  /** Begins to listen to signals. */
  constructor() {
    for (const signal of SIGNALS) process.on(signal, () => this.#interrupt());
  }

  /** Aborted by the first signal; what takes long during the start gives up then. */
  get interrupted(): AbortSignal {
    return this.#interruption.signal;
  }

  defer(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** From here on a signal ends the process by itself; before, the start itself gives up and ends it. */
  started(): void {
    this.interrupted.throwIfAborted();
    this.#isStarting = false;
  }

  /** Undoes what has started. Failures are printed. @returns whether all of it worked */
  undo(): Promise<boolean> {
    this.#undone = this.#undone.then(async (worked) => (await this.#undo()) && worked);
    return this.#undone;
  }

  /** Undoes what has started and ends the process. */
  async end(code: number): Promise<never> {
    setTimeout(() => process.exit(1), STOP_DEADLINE_SECONDS * 1000).unref();
    process.exit((await this.undo()) ? code : 1);
  }

  /** The second Ctrl-C of an impatient person ends the wait, not the data. */
  #interrupt(): void {
    if (this.interrupted.aborted) process.exit(130);
    this.#interruption.abort();
    console.error('Stopping; work in progress is finished or goes on at the next start.');
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
