import type { PullDataType, WindowReading } from '@healthd/providers';
import type pg from 'pg';
import type { Connection } from '../../connections/index.js';
import { inTransaction, lockUser, UserMissingError } from '../../platform/database/index.js';
import type { RunRange } from '../../runs/index.js';
import type { PullServices } from './pull-services.js';

/** A range of a run, and its progress after the current window. */
export interface StoredWindow {
  type: PullDataType;
  range: RunRange;
  /**
   * Start of the stored part of the range once this window is stored. The stored part extends to the end of the range.
   */
  doneFromMs: number;
  /** Items in the last millisecond before `doneFromMs` are stored up to this ID. */
  doneItem: string | undefined;
  reading: WindowReading;
  /** Result of {@link deliveredChunks} for the connections at the time of the request. */
  delivered: DeliveredChunks;
}

/** Number of delivered chunks stored for each connection ID. */
type DeliveredChunks = ReadonlyMap<string, number>;

/**
 * `gone`: the user, connection or run was deleted or ended during the request. `outdated`: a delivery was stored after
 * the request started. The response may lack the delivery's data or contain older values, so the response is not
 * stored.
 */
export type WindowResult = 'stored' | 'gone' | 'outdated';

/** Counts the stored delivery chunks. Call before the vendor request. */
export async function deliveredChunks(pool: pg.Pool, connections: readonly Connection[]): Promise<DeliveredChunks> {
  const { rows } = await pool.query<{ id: string; portions: number }>(
    'select id, delivered_portions as portions from connection where id = any ($1::uuid[])',
    [connections.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, portions }) => [id, portions]));
}

/**
 * Runs `work` while the connection cannot end and no delivery can be stored for it. Writes nothing if the connection
 * has ended or has another account, or if a delivery was stored after the request started.
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
    if (!rows[0] || !(await work(client))) throw new WindowRejectedError();
    return 'stored' as const;
  };
  try {
    return await inTransaction(pool, guarded, writer.threadFor([reading.batch]));
  } catch (error) {
    if (error instanceof WindowRejectedError || error instanceof UserMissingError) return 'gone';
    throw error;
  }
}

/** Rolls back writes for a run or connection that has ended. */
class WindowRejectedError extends Error {
  override readonly name = 'WindowRefused';
}
