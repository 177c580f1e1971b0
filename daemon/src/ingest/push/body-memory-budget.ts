/** Overhead of a body besides its own bytes: socket and compression buffers. */
const BASE_BYTES = 256 * 1024;

/**
 * Limits the memory of bodies that are being received. While they use too much, new bodies must wait: their bytes stay
 * in the network, and the client only sees a slow response. A started body is read to its end, so slow phones never
 * block each other.
 */
export class BodyMemoryBudget {
  private bytes = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly maxBytes: number) {}

  /** Waits until the body may be received. Bodies are admitted in order of arrival. */
  async begin(): Promise<BodyInHand> {
    if (this.waiting.length > 0 || this.bytes >= this.maxBytes) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.bytes += BASE_BYTES;
    let held = BASE_BYTES;
    return {
      add: (bytes) => {
        held += bytes;
        this.bytes += bytes;
      },
      release: () => {
        this.bytes -= held;
        held = 0;
        this.beginNext();
      },
    };
  }

  private beginNext(): void {
    while (this.bytes < this.maxBytes) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      this.bytes += BASE_BYTES;
      next();
    }
  }
}

/** One body's share of the budget. */
export interface BodyInHand {
  /** Counts bytes of the body that are held in memory. */
  add(bytes: number): void;
  /** Call once the body is stored or rejected. */
  release(): void;
}
