import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '@healthd/model';
import type { DeliveryRecord } from '../subscriber-types.js';

/** The vendor's retry delays for a notification: from 10 s, doubled up to 1 h, for 7 days. */
const VENDOR_FIRST_SECONDS = 10;
const VENDOR_LONGEST_SECONDS = SECONDS_PER_HOUR;
const VENDOR_GIVES_UP_SECONDS = 7 * SECONDS_PER_DAY;
/** First retry delay of the simulator, in real time. */
const FIRST_MS = 40;
const LONGEST_MS = 2000;
const TIMEOUT_MS = 10_000;
const IN_FLIGHT = 16;

/** A notification with the data for its delivery attempts. */
export interface Delivery extends DeliveryRecord {
  body: string;
  /** Returns the endpoint and the request headers, including the secret. Called for each attempt. */
  target(): { endpointUri: string; headers: Record<string, string> } | undefined;
  /** The notification's age on the vendor's clock. */
  ageSeconds: number;
  /** True if only a flush attempts the delivery. */
  held: boolean;
}

/** Sends queued notifications until the endpoint returns 204. The retry delays are shorter than the vendor's. */
export class Deliveries {
  private readonly stop = new AbortController();
  private readonly timers = new Map<Delivery, NodeJS.Timeout>();
  private readonly running = new Map<Delivery, Promise<void>>();
  private waiting: Delivery[] = [];
  private records: Delivery[] = [];

  add(delivery: Delivery): void {
    this.records.push(delivery);
    if (!delivery.held) this.queue(delivery);
  }

  all(): DeliveryRecord[] {
    return this.records.map(({ body: _body, target: _target, ageSeconds: _age, held: _held, ...record }) =>
      structuredClone(record),
    );
  }

  /** Attempts each pending delivery once. */
  async flush(): Promise<{ delivered: number; pending: number }> {
    const pending = this.records.filter(({ state }) => state === 'pending');
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    this.waiting = [];
    for (let n = 0; n < pending.length; n += IN_FLIGHT) {
      await Promise.all(pending.slice(n, n + IN_FLIGHT).map((delivery) => this.tryNow(delivery)));
    }
    const left = pending.filter(({ state }) => state === 'pending').length;
    return { delivered: pending.filter(({ state }) => state === 'delivered').length, pending: left };
  }

  /** Drops deliveries for a deleted subscriber. */
  forget(subscriber: string): void {
    for (const delivery of this.records) {
      if (delivery.subscriber === subscriber && delivery.state === 'pending') delivery.state = 'given_up';
    }
  }

  clear(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    this.waiting = [];
    this.records = [];
  }

  close(): void {
    this.clear();
    this.stop.abort();
  }

  private async tryNow(delivery: Delivery): Promise<void> {
    const running = this.running.get(delivery);
    if (running) return running;
    await this.run(delivery);
    if (!delivery.held) this.again(delivery);
  }

  private queue(delivery: Delivery): void {
    this.waiting.push(delivery);
    this.pump();
  }

  private pump(): void {
    while (this.running.size < IN_FLIGHT && this.waiting.length > 0) {
      const delivery = this.waiting.shift()!;
      if (delivery.state === 'pending') void this.run(delivery).then(() => this.again(delivery));
    }
  }

  private again(delivery: Delivery): void {
    this.pump();
    if (delivery.state !== 'pending' || this.stop.signal.aborted) return;
    const waitMs = Math.min(LONGEST_MS, FIRST_MS * 1.6 ** (delivery.attempts.length - 1));
    const timer = setTimeout(() => {
      this.timers.delete(delivery);
      this.queue(delivery);
    }, waitMs);
    timer.unref();
    this.timers.set(delivery, timer);
  }

  private run(delivery: Delivery): Promise<void> {
    const run = this.attempt(delivery).finally(() => this.running.delete(delivery));
    this.running.set(delivery, run);
    return run;
  }

  private async attempt(delivery: Delivery): Promise<void> {
    const target = delivery.target();
    const status = target === undefined ? 0 : await this.send(target, delivery.body);
    const waits = delivery.attempts.length;
    delivery.attempts.push(status);
    delivery.ageSeconds += Math.min(VENDOR_LONGEST_SECONDS, VENDOR_FIRST_SECONDS * 2 ** waits);
    if (status === 204) delivery.state = 'delivered';
    else if (target === undefined || delivery.ageSeconds > VENDOR_GIVES_UP_SECONDS) delivery.state = 'given_up';
  }

  private async send(
    { endpointUri, headers }: NonNullable<ReturnType<Delivery['target']>>,
    body: string,
  ): Promise<number> {
    try {
      const signal = AbortSignal.any([this.stop.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const response = await fetch(endpointUri, { method: 'POST', headers, body, redirect: 'manual', signal });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return 0;
    }
  }
}
