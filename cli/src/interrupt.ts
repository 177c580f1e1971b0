import { EXIT } from './exit-codes.js';

/** npm passes a Ctrl-C on that the terminal has sent already: what comes so soon is the same keystroke. */
const SAME_KEYSTROKE_MS = 400;

/** Ctrl-C: the first stops cleanly, the second immediately. */
export class Interrupt {
  readonly #controller = new AbortController();
  #firstAtMs = 0;
  /** Said after a clean stop: how things stand and how to go on. */
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
