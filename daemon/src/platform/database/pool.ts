import { MS_PER_MINUTE } from '@healthd/model';
import pg from 'pg';
import { type Prerequisite, withPrerequisites } from './prerequisite.js';
import { repeatOnCollision } from './repeat-on-collision.js';
import { valueTypes } from './value-types.js';

export interface PoolOptions {
  url: string;
  /** Connections at most. */
  max?: number;
  /** What a statement may take before the server ends it; none without it. */
  statementTimeoutSeconds?: number;
  /** How long a caller waits for a connection while all are busy. */
  connectTimeoutSeconds?: number;
  /** Shows in pg_stat_activity. */
  applicationName?: string;
  /** Called for connections that broke while no one used them; the pool replaces them. */
  onIdleError?: (error: Error) => void;
}

/**
 * A pool of connections whose session is in UTC regardless of the settings of the server.
 * Values: int8 is a number, date a text, timestamptz a Date, numeric a text (see `value-types.ts`).
 */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connectionSettings(options),
    max: options.max ?? 10,
    types: valueTypes,
    connectionTimeoutMillis: (options.connectTimeoutSeconds ?? 10) * 1000,
    idleTimeoutMillis: MS_PER_MINUTE,
    keepAlive: true,
  });
  // Without a listener a lost idle connection would end the process.
  pool.on('error', (error) => options.onIdleError?.(error));
  // So would one that is lost while a caller holds it between two statements; the next statement fails.
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}

/**
 * Statements are short and many: workers of a parallel plan or compiled expressions cost more to start than they save (a
 * page of hourly buckets took 18 ms with a worker).
 */
const SESSION = {
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
};

/** What every connection of the daemon is opened with, also those outside the pool (LISTEN, migrations). */
export function connectionSettings(
  options: Pick<PoolOptions, 'url' | 'applicationName' | 'statementTimeoutSeconds'>,
): pg.ClientConfig {
  return {
    connectionString: options.url,
    application_name: options.applicationName ?? 'healthd',
    options: Object.entries(SESSION)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    ...(options.statementTimeoutSeconds === undefined
      ? {}
      : { statement_timeout: options.statementTimeoutSeconds * 1000 }),
  };
}

/**
 * A statement that each connection prepares once and then only executes. The name must be unique in the daemon: the
 * driver refuses two texts under one name.
 */
export function statement(name: string, text: string): (values: unknown[]) => pg.QueryConfig {
  return (values) => ({ name, text, values });
}

/**
 * Runs `work` in one transaction on one connection: committed when it resolves, rolled back when it rejects. Where the
 * database ends it because it collided with another one, `work` runs again in a new transaction: it must have no effect
 * outside of its own.
 * @param needed what `work` is known to need before it locks anything
 */
export function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  needed?: Prerequisite,
): Promise<T> {
  return repeatOnCollision(() => transact(pool, work, 'commit', needed));
}

/**
 * As {@link inTransaction} for what has effects outside of the transaction, such as a request to a vendor: it runs once. It
 * runs again only if it throws {@link PrerequisiteMissingError}, which it must do before such an effect.
 */
export function inTransactionOnce<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  needed?: Prerequisite,
): Promise<T> {
  return transact(pool, work, 'commit', needed);
}

/** As {@link inTransactionOnce} for what is only to be tried: it is rolled back also when `work` resolves. */
export function inRolledBackTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  needed?: Prerequisite,
): Promise<T> {
  return transact(pool, work, 'rollback', needed);
}

function transact<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  end: 'commit' | 'rollback',
  needed?: Prerequisite,
): Promise<T> {
  return withPrerequisites(needed, (onBegin) =>
    transactOnce(
      pool,
      (client) => {
        onBegin(client);
        return work(client);
      },
      end,
    ),
  );
}

async function transactOnce<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  end: 'commit' | 'rollback',
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query(end);
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
