/** An answer is kept for this many times as long as reading it took, so that reading takes little of the time. */
const KEPT_TIMES = 50;
const LONGEST_KEPT_MS = 300_000;
/** What is read more quickly than this is read each time. */
const QUICK_MS = 100;

interface Kept<T> {
  /** By `performance.now()`. */
  until: number;
  answer: Promise<T>;
}

/**
 * Answers that are costly to read, by a key: callers of the same one at the same time share it, and it is kept for a while
 * where reading it took long. A failure is not kept.
 */
export class KeptAnswers<T> {
  readonly #kept = new Map<string, Kept<T>>();

  constructor(private readonly quickMs = QUICK_MS) {}

  get(key: string, read: () => Promise<T>): Promise<T> {
    const started = performance.now();
    for (const [other, { until }] of this.#kept) if (until <= started) this.#kept.delete(other);
    const known = this.#kept.get(key);
    if (known) return known.answer;
    const entry: Kept<T> = { until: Number.POSITIVE_INFINITY, answer: read() };
    this.#kept.set(key, entry);
    entry.answer.then(
      () => {
        const now = performance.now();
        const tookMs = now - started;
        entry.until = tookMs < this.quickMs ? now : now + Math.min(LONGEST_KEPT_MS, tookMs * KEPT_TIMES);
      },
      () => this.#kept.delete(key),
    );
    return entry.answer;
  }
}
