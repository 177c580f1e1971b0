/** New rows for this process's streams. Each row is read once for all streams. Positions increase within a feed. */
export abstract class LiveFeed {
  private reading: Promise<void> | undefined;
  private again = false;
  private readonly waiting = new Set<() => void>();

  /** Position of the newest known row. */
  abstract get newest(): number;

  /** Reads one page of new rows. @returns true if there may be more */
  protected abstract readPage(): Promise<boolean>;

  /** Resolves when a row after the position exists or the signal aborts. */
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

  /** Reads new rows. A call during a running refresh makes that refresh read once more. */
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

  /** Wakes the callers that wait for new rows. */
  protected wake(): void {
    for (const done of [...this.waiting]) done();
  }
}
