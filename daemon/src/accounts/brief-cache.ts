/**
 * Keeps answers of a lookup for a moment. What was revoked elsewhere is therefore believed for at most `milliseconds`.
 * Callers who ask at the same time share one lookup; `undefined` and failures are not cached, so guesses cost no memory.
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
    // The time counts from before the lookup: the answer may be as old as that.
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
