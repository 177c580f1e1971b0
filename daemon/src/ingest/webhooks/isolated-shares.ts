import type { DeliveryAdapter } from '@healthd/providers';
import type { Connection } from '../../connections/index.js';
import { outageOf } from '../../platform/database/index.js';
import type { JobLog } from '../../platform/jobs/index.js';
import type { AccountItems } from './account-buffer.js';
import { isTriedAgain, type WaitingDelivery } from './deliveries.js';
import type { DeliveryServices } from './delivery-services.js';
import { failureText, isFaultOfData, passes } from './passing-failure.js';
import { noteWaiting, type ShareStates } from './shares.js';
import { refuseItem, storeItems } from './store-share.js';

/** So many items that cannot be stored are named by their position in the run of a connection; more are only counted. */
const NAMED_ITEMS = 20;

/** Stores what a delivery holds for each connection by itself, so that what fails for one holds up no other. */
export class IsolatedShares {
  /** Connections whose items are not stored from some position on, because of something that may pass. */
  readonly waiting = new Map<string, Connection>();
  /** Items that are given up. */
  refused = 0;
  private readonly refusedOf = new Map<string, number>();

  constructor(
    private readonly services: DeliveryServices,
    private readonly delivery: WaitingDelivery,
    private readonly adapter: DeliveryAdapter,
    private readonly states: ShareStates,
    private readonly log: JobLog,
  ) {}

  /** @throws errors that concern all users: the database is away, or the process stops */
  async store(share: AccountItems, signal: AbortSignal): Promise<void> {
    const { connection, items } = share;
    if (this.states.ended.has(connection.id) || this.waiting.has(connection.id) || items.length === 0) return;
    if (this.states.retried?.has(connection.id) === false) return;
    if (this.states.heldUp.has(connection.id)) return this.wait(share, 'earlier_delivery');
    try {
      await storeItems(this.services, this.delivery, this.adapter, share);
    } catch (error) {
      signal.throwIfAborted();
      if (outageOf(error)) throw error;
      if (passes(error)) return this.wait(share, failureText(error), error);
      if (items.length === 1) {
        if (isFaultOfData(error) || !isTriedAgain(this.delivery, this.services.now()))
          return this.refuse(share, error, signal);
        return this.wait(share, failureText(error), error);
      }
      const half = Math.ceil(items.length / 2);
      await this.store({ connection, items: items.slice(0, half) }, signal);
      await this.store({ connection, items: items.slice(half) }, signal);
    }
  }

  /** Has the rest of a connection wait for something that comes before it in the delivery. */
  async hold(connection: Connection, item: number, error: unknown): Promise<void> {
    if (this.states.ended.has(connection.id) || this.states.retried?.has(connection.id) === false) return;
    this.waiting.set(connection.id, connection);
    await noteWaiting(this.services, this.delivery, connection, `item ${item}: ${failureText(error)}`);
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
        'Postponed the items of a connection in a delivery of a vendor',
      );
    }
    await noteWaiting(this.services, this.delivery, connection, `item ${item}: ${reason}`);
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
      'Failed to store an item of a delivery of a vendor; the rest of the delivery goes on',
    );
    const known = this.refusedOf.get(connection.id) ?? 0;
    const detail = known < NAMED_ITEMS ? `item ${item.item}, ${failureText(error)}` : undefined;
    try {
      await refuseItem(this.services, this.delivery, connection, item, detail);
    } catch (second) {
      signal.throwIfAborted();
      if (outageOf(second)) throw second;
      // Not even its run can be written.
      return this.wait(share, failureText(second), second);
    }
    this.refused += 1;
    this.refusedOf.set(connection.id, known + 1);
  }
}
