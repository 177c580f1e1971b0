import type { DeliveryAdapter } from '@healthd/providers';
import type { Connection } from '../../connections/index.js';
import { outageOf } from '../../platform/database/index.js';
import type { JobLog } from '../../platform/jobs/index.js';
import type { AccountItems } from './account-buffer.js';
import { isTriedAgain, type WaitingDelivery } from './deliveries.js';
import type { DeliveryServices } from './delivery-services.js';
import { failureText, isCausedByData, isTransient } from './transient-failure.js';
import { recordWaitReason, type ShareStates } from './chunks.js';
import { rejectItem, storeItems } from './store-chunk.js';

/** Number of unstored items that a connection's run lists by position. Further items are only counted. */
const NAMED_ITEMS = 20;

/**
 * Stores a delivery's items for each connection separately, so that a failure for one connection does not block the
 * others.
 */
export class IsolatedShares {
  /** Connections with unstored items because of a transient failure. */
  readonly waiting = new Map<string, Connection>();
  /** Number of permanently failed items. */
  refused = 0;
  private readonly rejectedOf = new Map<string, number>();

  constructor(
    private readonly services: DeliveryServices,
    private readonly delivery: WaitingDelivery,
    private readonly adapter: DeliveryAdapter,
    private readonly states: ShareStates,
    private readonly log: JobLog,
  ) {}

  /** @throws errors that affect all users: the database is unavailable, or the process stops */
  async store(share: AccountItems, signal: AbortSignal): Promise<void> {
    const { connection, items } = share;
    if (this.states.ended.has(connection.id) || this.waiting.has(connection.id) || items.length === 0) return;
    if (this.states.retried?.has(connection.id) === false) return;
    if (this.states.blocked.has(connection.id)) return this.wait(share, 'earlier_delivery');
    try {
      await storeItems(this.services, this.delivery, this.adapter, share);
    } catch (error) {
      signal.throwIfAborted();
      if (outageOf(error)) throw error;
      if (isTransient(error)) return this.wait(share, failureText(error), error);
      if (items.length === 1) {
        if (isCausedByData(error) || !isTriedAgain(this.delivery, this.services.now()))
          return this.refuse(share, error, signal);
        return this.wait(share, failureText(error), error);
      }
      const half = Math.ceil(items.length / 2);
      await this.store({ connection, items: items.slice(0, half) }, signal);
      await this.store({ connection, items: items.slice(half) }, signal);
    }
  }

  /** Makes a connection's remaining items wait, because an earlier part of the delivery could not be processed. */
  async hold(connection: Connection, item: number, error: unknown): Promise<void> {
    if (this.states.ended.has(connection.id) || this.states.retried?.has(connection.id) === false) return;
    this.waiting.set(connection.id, connection);
    await recordWaitReason(this.services, this.delivery, connection, `item ${item}: ${failureText(error)}`);
  }

  private async wait({ connection, items }: AccountItems, reason: string, error?: unknown): Promise<void> {
    this.waiting.set(connection.id, connection);
    const { id, provider } = this.delivery;
    const item = items[0]?.item;
    if (error !== undefined) {
      this.log.warn(
        {
          event: 'delivery_share_postponed',
          err: error,
          delivery_id: id,
          provider,
          connection_id: connection.id,
          item,
        },
        "Postponed a connection's items in a vendor delivery",
      );
    }
    await recordWaitReason(this.services, this.delivery, connection, `item ${item}: ${reason}`);
  }

  private async refuse(share: AccountItems, error: unknown, signal: AbortSignal): Promise<void> {
    const { connection, items } = share;
    const item = items[0];
    if (item === undefined) return;
    const { id, provider } = this.delivery;
    this.log.error(
      {
        event: 'delivery_item_not_stored',
        err: error,
        delivery_id: id,
        provider,
        connection_id: connection.id,
        item: item.item,
      },
      'Failed to store an item of a vendor delivery; continuing with the rest',
    );
    const known = this.rejectedOf.get(connection.id) ?? 0;
    const detail = known < NAMED_ITEMS ? `item ${item.item}, ${failureText(error)}` : undefined;
    try {
      await rejectItem(this.services, this.delivery, connection, item, detail);
    } catch (second) {
      signal.throwIfAborted();
      if (outageOf(second)) throw second;
      // Makes the items wait, because the connection's run cannot be updated either.
      return this.wait(share, failureText(second), second);
    }
    this.refused += 1;
    this.rejectedOf.set(connection.id, known + 1);
  }
}
