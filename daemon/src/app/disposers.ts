/** How something that was started is stopped. */
type Disposer = () => unknown;

/** What has started, each with its end: stopped in the reverse order, also when the start fails halfway. */
export class Disposers {
  readonly #disposers: Disposer[] = [];
  #isDisposing = false;

  /** Whether the stop has begun. */
  get isDisposing(): boolean {
    return this.#isDisposing;
  }

  add(disposer: Disposer): void {
    this.#disposers.push(disposer);
  }

  /**
   * Stops everything, the last one first. One that fails keeps no other from being stopped. A second call stops what was
   * added since.
   * @throws what the first one that failed threw, after all were stopped
   */
  async dispose(): Promise<void> {
    this.#isDisposing = true;
    const failures: unknown[] = [];
    for (let disposer = this.#disposers.pop(); disposer !== undefined; disposer = this.#disposers.pop()) {
      try {
        await disposer();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
