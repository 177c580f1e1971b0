import type { GarminItem, GarminItems, SummaryKey } from './wire-types.js';

/** The address typed into the vendor's portal, and whether pushes go by themselves. */
export interface PushTarget {
  url: string;
  /** `held` waits for flushPushes. Default `auto`. */
  deliveries?: 'auto' | 'held';
  /** Items in one body at most. Default 100. */
  batchSize?: number;
}

/** One body that was sent. */
export interface GarminPush {
  /** Items by list. */
  items: Record<string, number>;
  bytes: number;
  /** Of the last attempt; 0 without an answer. */
  status: number;
}

interface QueuedItem {
  key: SummaryKey | 'activityFiles' | 'deregistrations' | 'userPermissionsChange';
  item: GarminItem;
}

const BATCH = 100;

/** Sends what people's devices uploaded to the one address of the application, again and again until it is taken. */
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

  /** Has summaries of one person delivered; those of different people share bodies. */
  publish(userId: string, items: GarminItems): void {
    for (const [key, list] of Object.entries(items) as [SummaryKey, GarminItem[]][]) {
      for (const item of list) this.queue.push({ key, item: { userId, ...item } });
    }
    this.wake();
  }

  /** Has a ping delivered. */
  announce(key: SummaryKey | 'activityFiles', ping: GarminItem): void {
    this.queue.push({ key, item: ping });
    this.wake();
  }

  /** Has a notice delivered. */
  notify(key: 'deregistrations' | 'userPermissionsChange', item: GarminItem): void {
    this.queue.push({ key, item });
    this.wake();
  }

  /** Sends what is held and what was refused before. @param reversed newest body first; @param twice each of them two times */
  async flush({ reversed = false, twice = false } = {}): Promise<GarminPush[]> {
    await this.running;
    const bodies = [...this.refused, ...this.bodies()];
    this.refused = [];
    const ordered = reversed ? bodies.toReversed() : bodies;
    const before = this.sent.length;
    await this.sendAll(twice ? ordered.flatMap((body) => [body, body]) : ordered);
    return this.sent.slice(before);
  }

  /** Address as the developer typed it, with the token that the client's settings name unless it has another one. */
  private addressOf({ url }: PushTarget): URL {
    const address = new URL(url);
    if (!address.searchParams.has('token')) address.searchParams.set('token', this.token);
    return address;
  }

  /** Sends any body now. @returns the status of the answer, 0 without one */
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

  /** When all that was to be delivered by itself has been. */
  settled(): Promise<void> {
    return this.running;
  }

  pushes(): GarminPush[] {
    return [...this.sent];
  }

  /** Items that were not taken yet. */
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

  /** Bodies of one list each, as the vendor sends them. */
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
