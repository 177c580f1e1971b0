import type { JobLog } from './definition.js';
import type { JobStore } from './store.js';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

/**
 * Tracks whether the job store is available. Opens it, however long that takes, and polls it after a failure until it
 * responds. The service continues during an outage. Logs each change once.
 */
export class StoreConnection {
  readonly #store: JobStore;
  readonly #log: JobLog;
  readonly #onUp: (first: boolean) => Promise<void>;
  #up = false;
  #opened = false;
  #stopped = false;
  #checking = false;
  #timer: NodeJS.Timeout | undefined;
  #waitMs = FIRST_WAIT_MS;

  /** @param onUp called after the store was opened (`first`), and after each outage */
  constructor(store: JobStore, log: JobLog, onUp: (first: boolean) => Promise<void>) {
    this.#store = store;
    this.#log = log;
    this.#onUp = onUp;
  }

  get up(): boolean {
    return this.#up;
  }

  /** Resolves after the first attempt, successful or not. */
  async start(): Promise<void> {
    await this.#try();
  }

  /** Call after any failed operation. A ping then decides whether the store is unavailable. */
  suspect(error: unknown): void {
    if (this.#stopped || this.#checking || !this.#up) return;
    this.#checking = true;
    this.#store
      .ping()
      .then(
        () => this.#log.warn({ event: 'job_store_operation_failed', err: error }, 'Job store operation failed'),
        (cause: unknown) => this.#wentAway(cause),
      )
      .finally(() => {
        this.#checking = false;
      });
  }

  stop(): void {
    this.#stopped = true;
    this.#up = false;
    clearTimeout(this.#timer);
  }

  #wentAway(cause: unknown): void {
    this.#up = false;
    this.#log.warn(
      { event: 'job_store_lost', err: cause, store: this.#store.kind },
      'Lost the job store; work is stored and will be queued later',
    );
    this.#tryLater();
  }

  #tryLater(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#try(), this.#waitMs);
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
  }

  async #try(): Promise<void> {
    const first = !this.#opened;
    try {
      await (first ? this.#store.open() : this.#store.ping());
      if (this.#stopped) return;
      this.#up = true;
      await this.#onUp(first);
      this.#opened = true;
      this.#waitMs = FIRST_WAIT_MS;
      if (!first) this.#log.info({ event: 'job_store_back', store: this.#store.kind }, 'Reconnected to the job store');
    } catch (error) {
      if (first && this.#waitMs === FIRST_WAIT_MS) {
        this.#log.warn(
          { event: 'job_store_unreachable', err: error, store: this.#store.kind },
          'Failed to reach the job store; retrying',
        );
      }
      this.#up = false;
      this.#tryLater();
    }
  }
}
