/** Time that readings cover. Readings must be added in descending order of start. */
export class CountedTime {
  /** Disjoint stretches, the earliest last. */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  /**
   * Adds the time between two timestamps in milliseconds.
   * @param each called with every newly covered part
   */
  add(fromMs: number, toMs: number, each: (fromMs: number, toMs: number) => void): void {
    if (toMs <= fromMs) return;
    let freeFromMs = fromMs;
    let endMs = toMs;
    for (;;) {
      const startMs = this.starts.at(-1);
      if (startMs === undefined || startMs > toMs) break;
      if (startMs > freeFromMs) each(freeFromMs, startMs);
      freeFromMs = this.ends.at(-1) as number;
      endMs = Math.max(endMs, freeFromMs);
      this.starts.pop();
      this.ends.pop();
    }
    if (freeFromMs < toMs) each(freeFromMs, toMs);
    this.starts.push(fromMs);
    this.ends.push(endMs);
  }
}
