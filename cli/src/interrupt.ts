import { EXIT } from './exit-codes.js';

/** npm forwards a Ctrl-C that the terminal already sent. A second signal within this time is the same keystroke. */
const SAME_KEYSTROKE_MS = 400;

/** Handles Ctrl-C: the first stops cleanly, the second immediately. */
export class Interrupt {
  readonly #controller = new AbortController();
  #firstAtMs = 0;
  /** Message after a clean stop: the state and how to continue. */
  parting: string | undefined;

  /** Fires at the first Ctrl-C. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  listen(): void {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => this.#stop());
  }

  #stop(): void {
    if (this.signal.aborted) {
      if (performance.now() - this.#firstAtMs > SAME_KEYSTROKE_MS) process.exit(EXIT.interrupted);
      return;
    }
    this.#firstAtMs = performance.now();
    this.#controller.abort();
  }
}
