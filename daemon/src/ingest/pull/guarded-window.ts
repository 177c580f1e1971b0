import type { PullDataType, WindowReading } from '@healthd/providers';
import type pg from 'pg';
import type { Connection } from '../../connections/index.js';
import { inTransaction, lockUser, UserMissingError } from '../../platform/database/index.js';
import type { RunRange } from '../../runs/index.js';
import type { PullServices } from './pull-services.js';

/** A range of a run, and how far the window in progress brings it. */
export interface StoredWindow {
  type: PullDataType;
  range: RunRange;
  /** Everything of the range from here on is stored with this window. */
  doneFromMs: number;
  /** Of the items of the last millisecond before it, those up to this id are stored too. */
  doneItem: string | undefined;
  reading: WindowReading;
  /** {@link deliveredPortions} of the connections when the vendor was asked. */
  delivered: DeliveredPortions;
}

/** How many portions of deliveries were stored for a connection, by its id. */
type DeliveredPortions = ReadonlyMap<string, number>;

/**
 * `gone`: the user, the connection or the run is no more, or was ended meanwhile. `outdated`: a delivery was stored since the
 * vendor was asked; the answer may lack what it brought, or have an older value, so nothing of the answer is stored.
 */
export type WindowResult = 'stored' | 'gone' | 'outdated';

/** Read before the vendor is asked. */
export async function deliveredPortions(pool: pg.Pool, connections: readonly Connection[]): Promise<DeliveredPortions> {
  const { rows } = await pool.query<{ id: string; portions: number }>(
    'select id, delivered_portions as portions from connection where id = any ($1::uuid[])',
    [connections.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, portions }) => [id, portions]));
}

/**
 * Runs `work` while the connection cannot be ended and no delivery is stored for it; nothing is written for one that was
 * ended, or has another account.
 */
export async function inGuardedTransaction(
  { pool, writer }: PullServices,
  { id, userKey, providerUserId }: Connection,
  { type, delivered, reading }: Pick<StoredWindow, 'type' | 'delivered' | 'reading'>,
  work: (client: pg.PoolClient) => Promise<boolean>,
): Promise<WindowResult> {
  const guarded = async (client: pg.PoolClient) => {
    await lockUser(client, userKey);
    const { rows } = await client.query<{ portions: number }>(
      `select delivered_portions as portions from connection
        where id = $1 and status = 'active' and provider_user_id is not distinct from $2 for share`,
      [id, providerUserId ?? null],
    );
    if (type.notified && rows[0] && rows[0].portions !== delivered.get(id)) return 'outdated' as const;
    if (!rows[0] || !(await work(client))) throw new WindowRefused();
    return 'stored' as const;
  };
  try {
    return await inTransaction(pool, guarded, writer.threadFor([reading.batch]));
  } catch (error) {
    if (error instanceof WindowRefused || error instanceof UserMissingError) return 'gone';
    throw error;
  }
}

/** Takes back what was written for a run or a connection that has ended. */
class WindowRefused extends Error {
  override readonly name = 'WindowRefused';
}
