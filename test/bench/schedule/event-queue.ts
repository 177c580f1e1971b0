/** Binary heap of events by time, earliest first. Events of equal times keep their order of insertion. */
export class EventQueue<T> {
  private readonly heap: { atMs: number; seq: number; event: T }[] = [];
  private seq = 0;

  add(atMs: number, event: T): void {
    const { heap } = this;
    heap.push({ atMs, seq: this.seq++, event });
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.isBefore(at, parent)) break;
      this.swap(at, parent);
      at = parent;
    }
  }

  next(): { atMs: number; event: T } | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    heap[0] = last;
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const child = left + 1 < heap.length && this.isBefore(left + 1, left) ? left + 1 : left;
      if (child >= heap.length || !this.isBefore(child, at)) return first;
      this.swap(at, child);
      at = child;
    }
  }

  private isBefore(one: number, other: number): boolean {
    const [a, b] = [this.heap[one]!, this.heap[other]!];
    return a.atMs < b.atMs || (a.atMs === b.atMs && a.seq < b.seq);
  }

  private swap(one: number, other: number): void {
    [this.heap[one], this.heap[other]] = [this.heap[other]!, this.heap[one]!];
  }
}
