/** Changes of a test to a genuine delivery. */
export interface DeliveryChange {
  /** Signs with another secret. */
  secret?: string;
  /** Signed milliseconds since 1970; default now. */
  timestampMs?: number;
}

/** An event with its authentication headers. */
export interface SignedEvent {
  body: string;
  headers: Record<string, string>;
}

/** Delivery result of an event. */
export interface Delivery {
  event: object;
  /** Response status; 0 without a response. */
  status: number;
}

/** Returns the URL of an event; undefined without a subscriber. */
export type TargetOf = (event: object) => string | undefined;

/** Sends events automatically or on request. */
export class Deliveries {
  /** `held` waits for {@link flush}. */
  mode: 'auto' | 'held' = 'auto';
  private held: object[] = [];
  private sent: Delivery[] = [];
  private running = Promise.resolve();

  constructor(
    private readonly targetOf: TargetOf,
    private readonly sign: (event: object, change: DeliveryChange) => SignedEvent,
    private readonly onAnswer: (event: object, status: number) => void = () => undefined,
    /** Time-out of the vendor for a response; default none. */
    private readonly patienceMs?: number,
  ) {}

  /** Delivers events in this order, in the background. */
  publish(events: readonly object[]): void {
    const wanted = events.filter((event) => this.targetOf(event) !== undefined);
    if (this.mode === 'held') this.held.push(...wanted);
    else this.running = this.running.then(() => this.sendAll(wanted));
  }

  /** Sends held events. @param reversed newest first; @param twice sends each event twice */
  async flush({ reversed = false, twice = false } = {}): Promise<Delivery[]> {
    const events = this.held;
    this.held = [];
    const ordered = reversed ? events.toReversed() : events;
    const before = this.sent.length;
    await this.sendAll(twice ? ordered.flatMap((event) => [event, event]) : ordered);
    return this.sent.slice(before);
  }

  /** Sends one event now. @returns the response status, 0 without a response */
  async send(event: object, change: DeliveryChange = {}): Promise<number> {
    const target = this.targetOf(event);
    if (target === undefined) return 0;
    const { body, headers } = this.sign(event, change);
    const signal = this.patienceMs === undefined ? null : AbortSignal.timeout(this.patienceMs);
    const status = await fetch(target, { method: 'POST', headers, body, signal }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      () => 0,
    );
    this.onAnswer(event, status);
    return status;
  }

  /** Returns all attempts, after the automatic ones have finished. */
  async all(): Promise<Delivery[]> {
    await this.running;
    return [...this.sent];
  }

  clear(): void {
    this.mode = 'auto';
    this.held = [];
    this.sent = [];
  }

  private async sendAll(events: readonly object[]): Promise<void> {
    for (const event of events) this.sent.push({ event, status: await this.send(event) });
  }
}
