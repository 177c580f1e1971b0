import { readFile } from 'node:fs/promises';
import type { ProviderId } from '@healthd/model';
import type { DeliveredItem, DeliveryAdapter } from '@healthd/providers';
import type { Connection } from '../../connections/index.js';
import { outageOf } from '../../platform/database/index.js';
import type { JobLog } from '../../platform/jobs/index.js';
import { AccountBuffer } from './account-buffer.js';
import { BoundedAccounts } from './bounded-accounts.js';
import {
  deleteStoredDelivery,
  endDelivery,
  hasUnstoredItems,
  isFileReplaced,
  markDeliveryFileDeleted,
  recordNotifications,
  releaseLater,
  reviveUnmatched,
  type WaitingDelivery,
} from './deliveries.js';
import type { DeliveryServices } from './delivery-services.js';
import type { DeliveredPart } from './delivery-splitter.js';
import { endShares } from './finish-chunks.js';
import { fetchAnnounced } from './fetch-announced.js';
import { IsolatedShares } from './isolated-chunks.js';
import { applyConsentNotification, type ConsentNotification } from './consent-notifications.js';
import { isCausedByData } from './transient-failure.js';
import { type ReadPart, readParts } from './read-part.js';
import { shareStates } from './chunks.js';

const LOST_FILE = "The delivery's file is missing or damaged.";
/** Maximum size of buffered item JSON; a single item may be larger. */
const BUFFERED_BYTES = 1024 * 1024;
/** Share of the waiting limit that deliveries with unknown accounts may occupy. */
const STORED_SHARE = 1 / 8;

/**
 * Reads a delivery item by item and stores each item for all users who are connected to its account. An interrupted
 * delivery is read again from its beginning; stored items are identified by position. A failure for one user or
 * notification does not block anything else.
 * @returns `waits`: true if part of the delivery waits because of a transient failure and must be read again
 * @throws errors that affect the whole delivery, which must be read again
 */
export async function readDelivery(
  services: DeliveryServices,
  adapter: DeliveryAdapter,
  delivery: WaitingDelivery,
  { signal, log }: { signal: AbortSignal; log: JobLog },
): Promise<{ waits: boolean }> {
  const { pool, spool, now } = services;
  const end = async (problem?: string, unmatched: readonly string[] = []) => {
    await endDelivery(pool, delivery.id, { ...(problem !== undefined && { problem }), unmatched, at: now() });
    if (delivery.failures > 0) await releaseLater(pool, delivery, now());
    return { waits: false };
  };
  const hash = await spool.hash(delivery.spoolName, signal);
  if (!hash?.equals(delivery.sha256)) {
    if (await isFileReplaced(pool, delivery)) throw new Error("an erasure replaced the delivery's file");
    await endShares(services, delivery, { fault: LOST_FILE });
    return end(hash ? 'spool_file_damaged' : 'spool_file_missing');
  }
  const shares = new IsolatedShares(services, delivery, adapter, await shareStates(pool, delivery), log);
  const reading = new Reading(services, delivery, adapter, shares, log);
  await reading.run(signal);
  await endShares(services, delivery, { except: [...shares.waiting.keys()] });
  if (shares.waiting.size > 0 || reading.hasPendingNotifications) return { waits: true };
  // A delivery's file is kept for some days if it was not stored completely.
  const isWhole = shares.refused === 0 && !(await hasUnstoredItems(pool, delivery.id));
  // A delivery that is read again for retried runs no longer waits for a consent.
  const unmatched = delivery.isRetried ? new Set<string>() : reading.unmatched;
  await end(isWhole ? undefined : 'items_not_stored', [...unmatched]);
  if (unmatched.size > 0) {
    await reviveConnected(services, delivery.provider, unmatched);
    await evictOldestDeliveries(services, delivery.provider, log);
  } else if (isWhole) {
    await spool.remove(delivery.spoolName);
    const name = await markDeliveryFileDeleted(pool, delivery.id, now());
    if (name !== undefined && name !== delivery.spoolName) await spool.remove(name);
  }
  return { waits: false };
}

/** Ends a delivery permanently. Its unstored items are never stored. */
export async function giveUpDelivery(services: DeliveryServices, delivery: WaitingDelivery): Promise<void> {
  const { pool, now } = services;
  await endShares(services, delivery, { fault: 'Some items of the vendor delivery could not be stored.' });
  await endDelivery(pool, delivery.id, { problem: 'gave_up', unmatched: [], at: now() });
  await releaseLater(pool, delivery, now());
}

/** Limits the data that waits for consents in progress, because anyone can send unsigned deliveries. */
async function evictOldestDeliveries(
  { pool, spool, maxWaitingBytes, now }: DeliveryServices,
  provider: ProviderId,
  log: JobLog,
): Promise<void> {
  const dropped = await deleteStoredDelivery(pool, provider, maxWaitingBytes * STORED_SHARE, now());
  for (const name of dropped) await spool.remove(name);
  if (dropped.length > 0)
    log.warn(
      { event: 'kept_deliveries_dropped', provider, removed: dropped.length },
      "Dropped a vendor's oldest deliveries that were kept for consents in progress",
    );
}

/**
 * Schedules another pass for accounts that were connected during this pass. The consent could not schedule it, because
 * the delivery was still open.
 */
async function reviveConnected(
  { pool, connections, now }: DeliveryServices,
  provider: ProviderId,
  accounts: ReadonlySet<string>,
): Promise<void> {
  for (const account of accounts) {
    const found = await connections.connectionsOfVendorAccount(provider, account);
    if (found.length > 0) await reviveUnmatched(pool, provider, account, now());
  }
}

type Callback = Extract<DeliveredItem, { kind: 'callback' }>;

/** One pass over a body. */
class Reading {
  /** Positions of notifications that could not be applied. */
  readonly pendingNotifications: Set<number>;
  /** Waiting notifications that need a consent. */
  private readonly unmatchedNotifications = new Set<number>();
  private readonly buffer = new AccountBuffer(BUFFERED_BYTES);
  private readonly accounts: BoundedAccounts<Connection>;
  /** Current position. Counts each piece of a large item. */
  private index = 0;
  private item = 0;
  /** First unsplittable item, its code, and the number of such items. */
  private skipped: { item: number; code: string; items: number } | undefined;
  /** Counts of the items in this pass that the adapter does not handle or that match no connection. */
  private readonly counts = { unhandled: 0, unmatched: 0 };

  constructor(
    private readonly services: DeliveryServices,
    private readonly delivery: WaitingDelivery,
    private readonly adapter: DeliveryAdapter,
    private readonly shares: IsolatedShares,
    private readonly log: JobLog,
  ) {
    this.pendingNotifications = new Set(delivery.pendingNotifications);
    this.accounts = new BoundedAccounts((account) =>
      services.connections.connectionsOfVendorAccount(delivery.provider, account),
    );
  }

  /** True if waiting notifications can be applied without another consent. */
  get hasPendingNotifications(): boolean {
    return this.pendingNotifications.size > this.unmatchedNotifications.size;
  }

  /** Accounts without a connection. */
  get unmatched(): ReadonlySet<string> {
    return this.accounts.unmatched;
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      if (this.adapter.itemsOf) await this.readMessage(this.adapter.itemsOf, signal);
      else await this.readLists(signal);
      await this.flush(signal);
    } finally {
      if (!signal.aborted) this.reportCounts();
    }
    if (this.skipped === undefined) return;
    this.log.warn(
      {
        event: 'delivery_items_skipped',
        delivery_id: this.delivery.id,
        provider: this.delivery.provider,
        ...this.skipped,
      },
      'Skipped unreadable items of a vendor delivery; continuing with the rest',
    );
  }

  /**
   * Counts notifications only once, because later passes read the same notifications again. An interrupted pass is
   * repeated as the first pass.
   */
  private reportCounts(): void {
    if (this.delivery.failures > 0 || this.delivery.isCounted) return;
    for (const outcome of ['unhandled', 'unmatched'] as const)
      for (let done = 0; done < this.counts[outcome]; done++)
        this.services.metrics.notified(this.delivery.provider, outcome);
  }

  private async readMessage(itemsOf: NonNullable<DeliveryAdapter['itemsOf']>, signal: AbortSignal): Promise<void> {
    const { services, delivery } = this;
    const text = await readFile(services.spool.pathOf(delivery.spoolName), { encoding: 'utf8', signal });
    const message = parsedMessage(text);
    if (message === undefined) return this.skip('malformed');
    const items = itemsOf(message);
    if (items.length === 0) this.counts.unhandled += 1;
    const bytes = Math.ceil(text.length / Math.max(1, items.length));
    for (const { dataType, item } of items) {
      signal.throwIfAborted();
      this.item += 1;
      await this.takePiece({ dataType, value: item, bytes }, signal);
    }
  }

  private async readLists(signal: AbortSignal): Promise<void> {
    const { spool, splitting } = this.services;
    for await (const parts of splitting.parts(spool.pathOf(this.delivery.spoolName), this.adapter.maxItemBytes)) {
      for (const part of parts) {
        signal.throwIfAborted();
        await this.take(part, signal);
      }
    }
  }

  private async take(part: DeliveredPart, signal: AbortSignal): Promise<void> {
    if (part.fault !== undefined) return this.skip(part.fault);
    if (part.oddItems !== undefined) {
      this.item += part.oddItems;
      this.index += part.oddItems;
      this.counts.unhandled += part.oddItems;
      return;
    }
    this.item += 1;
    for await (const found of readParts(this.adapter, part)) {
      signal.throwIfAborted();
      await this.takePiece(found, signal);
    }
  }

  private skip(code: string): void {
    this.item += 1;
    this.index += 1;
    this.skipped ??= { item: this.item, code, items: 0 };
    this.skipped.items += 1;
    this.counts.unhandled += 1;
  }

  private async takePiece(found: ReadPart, signal: AbortSignal): Promise<void> {
    this.index += 1;
    const about = this.adapter.classify(found.dataType, found.value);
    switch (about.kind) {
      case 'ignored':
      case 'unusable':
        this.counts.unhandled += 1;
        return;
      case 'data':
        await this.takeData(about.account, found);
        if (this.buffer.isFull) await this.flush(signal);
        return;
      default:
        if (this.index <= this.delivery.lastCheckedItem && !this.pendingNotifications.has(this.index)) return;
        // Stores the earlier items first, because the user had consented to them before this notification.
        await this.flush(signal);
        await this.follow(about, found, signal);
        this.accounts.forget(about.account);
    }
  }

  private async follow(
    notification: ConsentNotification | Callback,
    found: ReadPart,
    signal: AbortSignal,
  ): Promise<void> {
    const { services, delivery, index } = this;
    this.pendingNotifications.delete(index);
    try {
      if (notification.kind === 'callback') await this.fetch(notification, found);
      else await applyConsentNotification(services, delivery, notification);
    } catch (error) {
      signal.throwIfAborted();
      if (outageOf(error)) throw error;
      const isRetried = !isCausedByData(error);
      if (isRetried) {
        this.pendingNotifications.add(index);
        if (notification.kind === 'consent') await this.holdAccount(notification.account, error);
      }
      this.log[isRetried ? 'warn' : 'error'](
        { event: 'notice_not_followed', err: error, delivery_id: delivery.id, item: this.item, isRetried },
        "Failed to apply a vendor's consent notification; continuing with the rest",
      );
    }
    const done = Math.max(index, delivery.lastCheckedItem);
    await recordNotifications(services.pool, delivery.id, { done, waiting: [...this.pendingNotifications] });
  }

  /**
   * Fetches the announced data. If the account has no connection, the notification waits, because a consent may be in
   * progress.
   */
  private async fetch({ account, url }: Callback, { dataType, value }: ReadPart): Promise<void> {
    const { services, delivery, adapter, index } = this;
    const { callback } = adapter;
    if (!callback) return;
    if (await fetchAnnounced(services, delivery, { ...adapter, callback }, { account, url, dataType, value })) return;
    await this.accounts.of(account);
    this.counts.unmatched += 1;
    this.pendingNotifications.add(index);
    this.unmatchedNotifications.add(index);
  }

  /** Makes the account's later items wait until the granted scope is stored after a permission change. */
  private async holdAccount(account: string, error: unknown): Promise<void> {
    for (const connection of await this.accounts.of(account)) await this.shares.hold(connection, this.item, error);
  }

  private async takeData(account: string, { bytes, ...found }: ReadPart): Promise<void> {
    const connections = await this.accounts.of(account);
    if (connections.length === 0) this.counts.unmatched += 1;
    for (const connection of connections)
      this.buffer.add(connection, { ...found, index: this.index, item: this.item }, bytes);
  }

  private async flush(signal: AbortSignal): Promise<void> {
    for (const share of this.buffer.take()) await this.shares.store(share, signal);
  }
}

/** Returns undefined if the text is not JSON. */
function parsedMessage(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
