/** What a test changes of an honest delivery. */
export interface DeliveryChange {
  /** Signs with another secret. */
  secret?: string;
  /** Milliseconds since 1970 that are signed; default now. */
  timestampMs?: number;
}

/** An event as it goes out, with the headers that prove it. */
export interface SignedEvent {
  body: string;
  headers: Record<string, string>;
}

/** How an event was taken. */
export interface Delivery {
  event: object;
  /** Of the answer; 0 without one. */
  status: number;
}

/** Where an event goes; undefined: no one is subscribed. */
export type TargetOf = (event: object) => string | undefined;

/** Sends events by themselves or when they are asked for. */
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
    /** How long the vendor waits for an answer; default as long as it takes. */
    private readonly patienceMs?: number,
  ) {}

  /** Has events delivered, in this order, in the background. */
  publish(events: readonly object[]): void {
    const wanted = events.filter((event) => this.targetOf(event) !== undefined);
    if (this.mode === 'held') this.held.push(...wanted);
    else this.running = this.running.then(() => this.sendAll(wanted));
  }

  /** Sends what is held. @param reversed newest first; @param twice each of them two times */
  async flush({ reversed = false, twice = false } = {}): Promise<Delivery[]> {
    const events = this.held;
    this.held = [];
    const ordered = reversed ? events.toReversed() : events;
    const before = this.sent.length;
    await this.sendAll(twice ? ordered.flatMap((event) => [event, event]) : ordered);
    return this.sent.slice(before);
  }

  /** Sends one event now. @returns the status of the answer, 0 without one */
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

  /** All attempts, once those that go by themselves have been made. */
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
