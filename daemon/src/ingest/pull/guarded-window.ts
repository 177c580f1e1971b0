import type { PullDataType, WindowReading } from '@healthd/providers';
import type pg from 'pg';
import type { Connection } from '../../connections/index.js';
import { inTransaction, lockUser, statement, UserMissingError } from '../../platform/database/index.js';
import type { RunRange } from '../../runs/index.js';
import type { DeliveredChunks } from './open-runs.js';
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
  /** Delivery chunks that were stored before the request. */
  delivered: DeliveredChunks;
}

/**
 * `gone`: the user, connection or run was deleted or ended during the request. `outdated`: a delivery was stored after
 * the request started. The response may lack the delivery's data or contain older values, so the response is not
 * stored.
 */
export type WindowResult = 'stored' | 'gone' | 'outdated';

/** Locks the connection if it is active and still has the account, and if the run, if given, is open. */
const guard = statement(
  'pull-guard-window',
  `select delivered_portions as portions from connection
    where id = $1 and status = 'active' and provider_user_id is not distinct from $2
      and ($3::text is null or exists (select from sync_run where run_id = $3 and ended_at is null))
      for share`,
);

/**
 * Runs `work` while neither the connection nor its user's runs can end and no delivery can be stored for the
 * connection. Writes nothing if the connection or the given run has ended, if the connection has another account, or if
 * a delivery was stored after the request started.
 */
export async function inGuardedTransaction(
  { pool, writer }: PullServices,
  { id, userKey, providerUserId }: Connection,
  { type, delivered, reading, runId }: Pick<StoredWindow, 'type' | 'delivered' | 'reading'> & { runId?: string },
  work: (client: pg.PoolClient) => Promise<boolean>,
): Promise<WindowResult> {
  const guarded = async (client: pg.PoolClient) => {
    await lockUser(client, userKey);
    const { rows } = await client.query<{ portions: number }>(guard([id, providerUserId ?? null, runId ?? null]));
    if (type.notified && rows[0] && rows[0].portions !== delivered[id]) return 'outdated' as const;
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
