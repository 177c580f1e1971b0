import type pg from 'pg';
import type { AccountState } from './connection.js';
import { accountParameters, IS_OF_ACCOUNT, type OfAccount } from './connection-account.js';

/** Records account states and event times of connections. */
export class ConnectionMarks {
  constructor(private readonly pool: pg.Pool) {}

  async markAccountState(connection: OfAccount, state: AccountState): Promise<void> {
    await this.pool.query(
      `update connection set account_state = $3, account_checked_at = now(), updated_at = now() where ${IS_OF_ACCOUNT}`,
      [...accountParameters(connection), state],
    );
  }

  /**
   * Records a time unless a later time is already stored. Locks rows in one order, so that two deliveries for the same
   * users cannot deadlock.
   */
  async mark(
    column: 'last_synced_at' | 'last_notified_at' | 'backfill_started_at',
    connectionIds: readonly string[],
    at: Date,
    client?: pg.ClientBase,
  ): Promise<void> {
    await ((client ?? this.pool) as pg.Pool).query(
      `with locked as (select id from connection where id = any ($1::uuid[]) order by id for no key update)
       update connection c set ${column} = greatest(${column}, $2), updated_at = now() from locked where c.id = locked.id`,
      [connectionIds, at],
    );
  }

  /** Records a stored chunk of a delivery in the transaction that stores it. */
  async markDelivered(client: pg.ClientBase, connectionId: string, at: Date): Promise<void> {
    await client.query(
      `update connection set last_notified_at = greatest(last_notified_at, $2),
         delivered_portions = delivered_portions + 1, updated_at = now() where id = $1`,
      [connectionId, at],
    );
  }
}
