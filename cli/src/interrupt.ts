import { EXIT } from './exit-codes.js';

/** Ctrl-C: the first stops cleanly, the second at once. */
export class Interrupt {
  readonly #controller = new AbortController();
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
    if (this.signal.aborted) process.exit(EXIT.interrupted);
    this.#controller.abort();
  }
}
