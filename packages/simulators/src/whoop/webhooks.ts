import { createHmac, randomUUID } from 'node:crypto';
import type { SimulatorClock } from '../clock.js';
import type { WhoopEvent } from './wire-types.js';

/** URL in the vendor's dashboard, and whether events are sent automatically. */
export interface WebhookTarget {
  url: string;
  /** `held` waits for flushDeliveries. Default `auto`. */
  deliveries?: 'auto' | 'held';
}

/** An event with its authentication headers. */
export interface SignedEvent {
  body: string;
  headers: { 'content-type': string; 'x-whoop-signature': string; 'x-whoop-signature-timestamp': string };
}

/** Delivery result of an event. */
export interface WhoopDelivery {
  event: WhoopEvent;
  /** Status of the last attempt; 0 without a response. */
  status: number;
}

/** Changes of a test to a genuine delivery. */
export interface DeliveryChange {
  /** Signs with another secret. */
  secret?: string;
  /** Milliseconds since 1970 in the header; default now. */
  timestampMs?: number;
}

/** Returns Base64 of HMAC-SHA256 over the timestamp's text and the body, with the application's client secret. */
export function signEvent(event: object, secret: string, timestampMs: number): SignedEvent {
  const body = JSON.stringify(event);
  const signature = createHmac('sha256', secret).update(`${timestampMs}${body}`).digest('base64');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-whoop-signature': signature,
      'x-whoop-signature-timestamp': String(timestampMs),
    },
  };
}

/** Sends events to the application's URL. */
export class Webhooks {
  target: WebhookTarget | undefined;
  private held: WhoopEvent[] = [];
  private sent: WhoopDelivery[] = [];
  private running = Promise.resolve();

  constructor(
    private readonly clock: SimulatorClock,
    private readonly secret: string,
  ) {}

  /** Delivers events in this order, in the background. */
  publish(events: readonly Omit<WhoopEvent, 'trace_id'>[]): void {
    if (this.target === undefined) return;
    const traced = events.map((event) => ({ ...event, trace_id: randomUUID() }));
    if (this.target.deliveries === 'held') this.held.push(...traced);
    else this.running = this.running.then(() => this.sendAll(traced));
  }

  /** Sends held events. @param reversed newest first; @param twice sends each event twice */
  async flush({ reversed = false, twice = false } = {}): Promise<WhoopDelivery[]> {
    const events = this.held;
    this.held = [];
    const ordered = reversed ? events.toReversed() : events;
    const before = this.sent.length;
    await this.sendAll(twice ? ordered.flatMap((event) => [event, event]) : ordered);
    return this.sent.slice(before);
  }

  /** Sends one event now. @returns the response status, 0 without a response */
  async send(
    event: object,
    { secret = this.secret, timestampMs = this.clock.nowMs() }: DeliveryChange = {},
  ): Promise<number> {
    if (this.target === undefined) return 0;
    const { body, headers } = signEvent(event, secret, timestampMs);
    try {
      const answer = await fetch(this.target.url, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0;
    }
  }

  /** Resolves when all automatic deliveries have finished. */
  settled(): Promise<void> {
    return this.running;
  }

  deliveries(): WhoopDelivery[] {
    return [...this.sent];
  }

  clear(): void {
    this.target = undefined;
    this.held = [];
    this.sent = [];
  }

  private async sendAll(events: readonly WhoopEvent[]): Promise<void> {
    for (const event of events) this.sent.push({ event, status: await this.send(event) });
  }
}
