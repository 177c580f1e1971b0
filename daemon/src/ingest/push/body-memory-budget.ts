/** What a body takes besides its own bytes: buffers of the socket and of packing. */
const BASE_BYTES = 256 * 1024;

/**
 * Bounds the memory of bodies that are being received. While they hold too much no further one is begun: its bytes stay
 * in the network, and its client only sees a slow answer. One that was begun is read to its end, so that a few slow
 * phones never stop each other.
 */
export class BodyMemoryBudget {
  private bytes = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly maxBytes: number) {}

  /** Waits for the turn of a body; they are begun in the order of their coming. */
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

/** One body's share. */
export interface BodyInHand {
  /** Counts bytes of it that are held in memory. */
  add(bytes: number): void;
  /** To be called once it is stored or refused. */
  release(): void;
}
