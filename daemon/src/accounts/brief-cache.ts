/**
 * Caches lookup results briefly, so that a credential revoked elsewhere is accepted for at most `milliseconds`.
 * Concurrent callers share one lookup. Never caches `undefined` or failures, so that guesses use no memory.
 */
export class BriefCache<V> {
  readonly #entries = new Map<string, { until: number; value: Promise<V | undefined> }>();

  constructor(
    private readonly milliseconds: number,
    private readonly maxEntries = 10_000,
  ) {}

  get(key: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const known = this.#entries.get(key);
    if (known && known.until > performance.now()) return known.value;
    if (this.#entries.size >= this.maxEntries) this.#entries.clear();
    // Starts the lifetime before the lookup, because the result may reflect the state at the lookup's start.
    const entry = { until: performance.now() + this.milliseconds, value: load() };
    this.#entries.set(key, entry);
    const drop = () => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    };
    entry.value.then((value) => value === undefined && drop(), drop);
    return entry.value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
