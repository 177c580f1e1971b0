import type { GarminItem, GarminItems, SummaryKey } from './wire-types.js';

/** URL in the vendor's portal, and whether pushes are sent automatically. */
export interface PushTarget {
  url: string;
  /** `held` waits for flushPushes. Default `auto`. */
  deliveries?: 'auto' | 'held';
  /** Maximum number of items in one body. Default 100. */
  batchSize?: number;
}

/** One body that was sent. */
export interface GarminPush {
  /** Items by list. */
  items: Record<string, number>;
  bytes: number;
  /** Status of the last attempt; 0 without a response. */
  status: number;
}

interface QueuedItem {
  key: SummaryKey | 'activityFiles' | 'deregistrations' | 'userPermissionsChange';
  item: GarminItem;
}

const BATCH = 100;

/** Sends device uploads to the application's URL repeatedly until they are accepted. */
export class Pushes {
  target: PushTarget | undefined;
  private queue: QueuedItem[] = [];
  private refused: Record<string, GarminItem[]>[] = [];
  private sent: GarminPush[] = [];
  private running = Promise.resolve();

  constructor(
    private readonly clientId: string,
    private readonly token: string,
  ) {}

  /** Delivers summaries of one account; different accounts share bodies. */
  publish(userId: string, items: GarminItems): void {
    for (const [key, list] of Object.entries(items) as [SummaryKey, GarminItem[]][]) {
      for (const item of list) this.queue.push({ key, item: { userId, ...item } });
    }
    this.wake();
  }

  /** Delivers a ping. */
  announce(key: SummaryKey | 'activityFiles', ping: GarminItem): void {
    this.queue.push({ key, item: ping });
    this.wake();
  }

  /** Delivers a notification. */
  notify(key: 'deregistrations' | 'userPermissionsChange', item: GarminItem): void {
    this.queue.push({ key, item });
    this.wake();
  }

  /**
   * Sends held and previously rejected bodies. @param reversed newest body first; @param twice sends each body twice
   */
  async flush({ reversed = false, twice = false } = {}): Promise<GarminPush[]> {
    await this.running;
    const bodies = [...this.refused, ...this.bodies()];
    this.refused = [];
    const ordered = reversed ? bodies.toReversed() : bodies;
    const before = this.sent.length;
    await this.sendAll(twice ? ordered.flatMap((body) => [body, body]) : ordered);
    return this.sent.slice(before);
  }

  /** Returns the developer's URL, with the token of the client's settings unless it contains another one. */
  private addressOf({ url }: PushTarget): URL {
    const address = new URL(url);
    if (!address.searchParams.has('token')) address.searchParams.set('token', this.token);
    return address;
  }

  /** Sends any body now. @returns the response status, 0 without a response */
  async send(body: string | Buffer, headers: Record<string, string> = {}): Promise<number> {
    if (this.target === undefined) return 0;
    const own = { 'content-type': 'application/json', 'garmin-client-id': this.clientId };
    try {
      const answer = await fetch(this.addressOf(this.target), {
        method: 'POST',
        headers: { ...own, ...headers },
        body,
      });
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

  pushes(): GarminPush[] {
    return [...this.sent];
  }

  /** Number of items that are not accepted yet. */
  get waiting(): number {
    const inBodies = this.refused.flatMap((body) => Object.values(body)).flat();
    return this.queue.length + inBodies.length;
  }

  clear(): void {
    this.target = undefined;
    this.queue = [];
    this.refused = [];
    this.sent = [];
  }

  private wake(): void {
    if (this.target === undefined) this.queue = [];
    else if (this.target.deliveries !== 'held') {
      const bodies = this.bodies();
      this.running = this.running.then(() => this.sendAll(bodies));
    }
  }

  /** Bodies of one list each, like the vendor's. */
  private bodies(): Record<string, GarminItem[]>[] {
    const lists = new Map<string, GarminItem[]>();
    for (const { key, item } of this.queue) lists.set(key, [...(lists.get(key) ?? []), item]);
    this.queue = [];
    const size = this.target?.batchSize ?? BATCH;
    return [...lists].flatMap(([key, list]) =>
      Array.from({ length: Math.ceil(list.length / size) }, (_, at) => ({
        [key]: list.slice(at * size, (at + 1) * size),
      })),
    );
  }

  private async sendAll(bodies: readonly Record<string, GarminItem[]>[]): Promise<void> {
    for (const body of bodies) {
      const text = JSON.stringify(body);
      const status = await this.send(text);
      const items = Object.fromEntries(Object.entries(body).map(([key, list]) => [key, list.length]));
      this.sent.push({ items, bytes: Buffer.byteLength(text), status });
      if (status !== 200) this.refused.push(body);
    }
  }
}
