/** Ratio of a result's cache time to its read time. Reading therefore takes at most a small share of the total time. */
const CACHE_FACTOR = 50;
const MAX_CACHE_MS = 300_000;
/** Results of faster reads are not cached. */
const QUICK_MS = 100;

interface CacheEntry<T> {
  /** Expiry on the clock of `performance.now()`. */
  until: number;
  answer: Promise<T>;
}

/**
 * Caches results of costly reads by key. Concurrent callers with one key share a read. Slow results stay cached for a
 * while; failures are not cached.
 */
export class ResultCache<T> {
  readonly #kept = new Map<string, CacheEntry<T>>();

  constructor(private readonly quickMs = QUICK_MS) {}

  get(key: string, read: () => Promise<T>): Promise<T> {
    const started = performance.now();
    for (const [other, { until }] of this.#kept) if (until <= started) this.#kept.delete(other);
    const known = this.#kept.get(key);
    if (known) return known.answer;
    const entry: CacheEntry<T> = { until: Number.POSITIVE_INFINITY, answer: read() };
    this.#kept.set(key, entry);
    entry.answer.then(
      () => {
        const now = performance.now();
        const tookMs = now - started;
        entry.until = tookMs < this.quickMs ? now : now + Math.min(MAX_CACHE_MS, tookMs * CACHE_FACTOR);
      },
      () => this.#kept.delete(key),
    );
    return entry.answer;
  }
}
