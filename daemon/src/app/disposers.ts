/** Stops a started resource. */
type Disposer = () => unknown;

/** Started resources and their cleanup functions. Stops them in reverse order, even if the start fails halfway. */
export class Disposers {
  readonly #disposers: Disposer[] = [];
  #isDisposing = false;

  /** True once disposal has started. */
  get isDisposing(): boolean {
    return this.#isDisposing;
  }

  add(disposer: Disposer): void {
    this.#disposers.push(disposer);
  }

  /**
   * Stops everything in reverse order. Continues after a failure. A second call stops the parts that were added after
   * the first call.
   * @throws the first error, after everything was stopped
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
