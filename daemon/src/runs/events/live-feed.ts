/**
 * Rows that streams of this process follow: what is new is read once for all of them. A feed has positions, of which the
 * newest only grows.
 */
export abstract class LiveFeed {
  private reading: Promise<void> | undefined;
  private again = false;
  private readonly waiting = new Set<() => void>();

  /** Position of the newest row that the feed knows. */
  abstract get newest(): number;

  /** Reads one page of what is new. @returns whether there may be more already */
  protected abstract readPage(): Promise<boolean>;

  /** Resolves when there is something behind the position, or with the signal. */
  changed(position: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.newest > position) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        this.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  /** Reads what is new. A call while one is under way makes it look once more. */
  refresh(): Promise<void> {
    this.again = true;
    this.reading ??= this.readAll().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async readAll(): Promise<void> {
    while (this.again) {
      this.again = false;
      if (await this.readPage()) this.again = true;
    }
  }

  /** Wakes who waits for something new. */
  protected wake(): void {
    for (const done of [...this.waiting]) done();
  }
}
