import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest stretch of work before other tasks get a turn of the event loop. */
const STRETCH_MS = 25;

/** Splits long work of the main thread, so that requests are served in between. */
export class Turns {
  private since = performance.now();

  /** Call between two pieces of work; each piece must be short. */
  async yieldIfLong(): Promise<void> {
    if (!this.isLong()) return;
    // Waits for two turns: after a database response, the first turn runs before all timers and other responses.
    await nextTurn();
    await nextTurn();
    this.since = performance.now();
  }

  /** Runs work that yields between its pieces. */
  async run<Result>(work: Generator<void, Result>): Promise<Result> {
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      // Awaits a promise only after long work, because a promise takes more time than most pieces.
      if (this.isLong()) await this.yieldIfLong();
    }
  }

  private isLong(): boolean {
    return performance.now() - this.since >= STRETCH_MS;
  }
}
