import { post } from '../vendor/index.js';
import type { Account } from './account.js';
import type { Callbacks } from './callbacks.js';
import { formed, recordedVersion } from './forms.js';
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
  /** Number of items by list. */
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
  private rejectedBodies: Record<string, GarminItem[]>[] = [];
  private sent: GarminPush[] = [];
  private running = Promise.resolve();

  constructor(
    private readonly clientId: string,
    private readonly token: string,
    private readonly callbacks: Callbacks,
  ) {}

  /** Delivers summaries in the account's formats: pushes them, or pings with their URL. */
  publish({ facts, forms }: Account, items: GarminItems): void {
    const { callbacks } = this;
    for (const [key, list] of Object.entries(items) as [SummaryKey, GarminItem[]][]) {
      const ready = list.map((item) => formed(forms, key, item));
      if (ready.length === 0) continue;
      // Always pushes activity details, as if the developer had selected push for them in the vendor's portal.
      const isPushed = forms.delivery === 'push' || key === 'activityDetails';
      if (isPushed) this.push(facts.userId, key, ready);
      else this.notify(key, callbacks.announce(facts, key, ready));
      if (key === 'manuallyUpdatedActivities' && forms.repeatsRecorded)
        this.push(facts.userId, 'activities', ready.map(recordedVersion));
      if (key === 'activityDetails' && forms.announcesFiles)
        for (const details of ready) this.notify('activityFiles', callbacks.announceFile(facts, details));
    }
  }

  /** Delivers a ping or a notification. */
  notify(key: QueuedItem['key'], item: GarminItem): void {
    this.queue.push({ key, item });
    this.wake();
  }

  /**
   * Sends held and previously rejected bodies. @param reversed newest body first; @param twice sends each body twice
   */
  async flush({ reversed = false, twice = false } = {}): Promise<GarminPush[]> {
    await this.running;
    const bodies = [...this.rejectedBodies, ...this.bodies()];
    this.rejectedBodies = [];
    const ordered = reversed ? bodies.toReversed() : bodies;
    const before = this.sent.length;
    await this.sendAll(twice ? ordered.flatMap((body) => [body, body]) : ordered);
    return this.sent.slice(before);
  }

  /** Returns the developer's URL. Adds the token of the client's settings unless the URL contains a token. */
  private addressOf({ url }: PushTarget): URL {
    const address = new URL(url);
    if (!address.searchParams.has('token')) address.searchParams.set('token', this.token);
    return address;
  }

  /** Sends any body now. @returns the response status, 0 without a response */
  async send(body: string | Buffer, headers: Record<string, string> = {}): Promise<number> {
    if (this.target === undefined) return 0;
    const own = { 'content-type': 'application/json', 'garmin-client-id': this.clientId };
    return post(this.addressOf(this.target), { body, headers: { ...own, ...headers } });
  }

  /** Waits for the automatic attempts, then returns all attempts. */
  async all(): Promise<GarminPush[]> {
    await this.running;
    return [...this.sent];
  }

  /** Number of items that are not accepted yet. */
  get waiting(): number {
    const inBodies = this.rejectedBodies.flatMap((body) => Object.values(body)).flat();
    return this.queue.length + inBodies.length;
  }

  clear(): void {
    this.target = undefined;
    this.queue = [];
    this.rejectedBodies = [];
    this.sent = [];
  }

  /** Items of different accounts may share a body. */
  private push(userId: string, key: SummaryKey, items: readonly GarminItem[]): void {
    for (const item of items) this.queue.push({ key, item: { userId, ...item } });
    this.wake();
  }

  private wake(): void {
    if (this.target === undefined) this.queue = [];
    else if (this.target.deliveries !== 'held') {
      const bodies = this.bodies();
      this.running = this.running.then(() => this.sendAll(bodies));
    }
  }

  /** Returns bodies with items of one list each, like the vendor's bodies. */
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
      if (status !== 200) this.rejectedBodies.push(body);
    }
  }
}
