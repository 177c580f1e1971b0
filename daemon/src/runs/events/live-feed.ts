/** Rows that this process's streams follow. Reads new rows once for all streams. A feed has increasing positions. */
export abstract class LiveFeed {
  private reading: Promise<void> | undefined;
  private again = false;
  private readonly waiting = new Set<() => void>();

  /** Position of the newest known row. */
  abstract get newest(): number;

  /** Reads one page of new rows. @returns true if there may be more */
  protected abstract readPage(): Promise<boolean>;

  /** Resolves when there is a row after the position, or when the signal aborts. */
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

  /** Reads new rows. A call during a running refresh makes it read once more. */
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
