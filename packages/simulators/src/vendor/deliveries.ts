/** Changes that a test makes to a genuine delivery. */
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

/** Posts a body. @returns the response status, 0 without a response */
export async function post(
  url: string | URL,
  { body, headers }: { body: string | Buffer; headers: Record<string, string> },
  timeoutMs?: number,
): Promise<number> {
  const signal = timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

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
    private readonly onResponse: (event: object, status: number) => void = () => undefined,
    /** The vendor's timeout for a response; default none. */
    private readonly timeoutMs?: number,
  ) {}

  /** Delivers events in this order, in the background. */
  publish(events: readonly object[]): void {
    const subscribed = events.filter((event) => this.targetOf(event) !== undefined);
    if (this.mode === 'held') this.held.push(...subscribed);
    else this.running = this.running.then(() => this.sendAll(subscribed));
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
    const status = await post(target, this.sign(event, change), this.timeoutMs);
    this.onResponse(event, status);
    return status;
  }

  /** Waits for the automatic attempts, then returns all attempts. */
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
