/** Time that readings took, where each is added at or before the start of those that were added already. */
export class CountedTime {
  /** Separate stretches, the earliest last. */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  /**
   * Adds the time from one instant to another, in milliseconds.
   * @param each is given every part of it that was not there yet
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
