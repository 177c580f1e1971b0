import type pg from 'pg';
import type { Job } from '../../platform/jobs/index.js';
import type { PullServices } from './pull-services.js';

/** Name of the job that reads from vendors. */
export const PULL_JOB = 'read-from-vendor';

export interface PullJobServices extends PullServices {
  /** Maximum number of accounts that one process reads concurrently. */
  accountsAtOnce: number;
}

/** The connection that owns the job: the oldest connection of the vendor account. */
export interface PullPayload {
  connection_id: string;
}

/** Enqueues the job that reads for a connection. */
type PullEnqueuer = Pick<Job<PullPayload>, 'tryEnqueue'>;

/** Services for reading after a consent. */
export interface ConnectedServices extends PullJobServices {
  historicalSyncOnConnect: boolean;
  pulls: PullEnqueuer;
}

/** Enqueues the connection's job without waiting for the job store. */
export async function enqueuePull(
  { pool, pulls }: Pick<ConnectedServices, 'pool' | 'pulls'>,
  connectionId: string,
): Promise<void> {
  await pulls.tryEnqueue({ connection_id: await jobConnectionOf(pool, connectionId) });
}

/**
 * The oldest active connection of the same vendor account as connection `c`; `c` if the account has no active
 * connection.
 */
export const JOB_CONNECTION = `coalesce((
  select o.id from connection o
   where c.status = 'active' and o.status = 'active' and o.provider = c.provider
     and o.provider_user_id = c.provider_user_id
   order by o.created_at, o.id limit 1), c.id)`;

/** Returns the connection whose job processes this connection's runs. */
export async function jobConnectionOf(pool: pg.Pool, connectionId: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `select ${JOB_CONNECTION} as id from connection c where c.id = $1`,
    [connectionId],
  );
  return rows[0]?.id ?? connectionId;
}
