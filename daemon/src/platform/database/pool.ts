import { MS_PER_MINUTE } from '@healthd/model';
import pg from 'pg';
import { type Prerequisite, withPrerequisites } from './prerequisite.js';
import { repeatOnCollision } from './repeat-on-collision.js';
import { runTransaction } from './transaction-state.js';

/** Parsers of result columns that differ from the driver's. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, parseInt8],
  // A calendar day has no time zone; the driver's own parser returns midnight in the process's time zone.
  [pg.types.builtins.DATE, (text: string) => text],
]);

/**
 * Reads int8 as a number, because every int8 in the schema counts or identifies rows.
 * @throws RangeError beyond ±(2^53 − 1), because a number would not be exact
 */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('int8 value beyond the exact range of a number');
  return value;
}

type TypeParser = (text: string) => unknown;

/**
 * Types of result values: int8 is a number, date a text `YYYY-MM-DD`, timestamptz a Date, numeric a text. Other types
 * are as in the driver.
 */
const valueTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): TypeParser {
    const own = format === 'binary' ? undefined : PARSERS.get(oid);
    return own ?? (pg.types.getTypeParser(oid, format as 'text') as TypeParser);
  },
};

export interface PoolOptions {
  url: string;
  /** Maximum number of connections. */
  max?: number;
  /** Statement timeout; none by default. */
  statementTimeoutSeconds?: number;
  /** Maximum wait for a connection while all connections are busy. */
  connectTimeoutSeconds?: number;
  /** Name in pg_stat_activity. */
  applicationName?: string;
  /** Called if an idle connection breaks; the pool replaces it. */
  onIdleError?: (error: Error) => void;
}

/**
 * Creates a pool whose sessions use UTC, regardless of the server's settings. Converts result values as `valueTypes`
 * describes.
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
  // Handles the loss of an idle connection, which would otherwise end the process.
  pool.on('error', (error) => options.onIdleError?.(error));
  // Also keeps the process running if a connection is lost while a caller holds it. The caller's next statement fails.
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}

/**
 * Settings of each session. Statements are short and many: parallel workers or compiled expressions take longer to
 * start than they save (a page of hourly buckets took 18 ms with a worker).
 */
const SESSION = {
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
};

/** Returns the connection settings of the daemon, which also apply outside the pool (LISTEN, migrations). */
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
 * Creates a statement that each connection prepares once. The name must be unique in the daemon, because the driver
 * rejects two texts with one name.
 */
export function statement(name: string, text: string): (values: unknown[]) => pg.QueryConfig {
  return (values) => ({ name, text, values });
}

/**
 * Runs `work` in one transaction. Commits when it resolves, rolls back when it rejects. If the database ends the
 * transaction because of a collision, runs `work` again in a new transaction. `work` must therefore have no other
 * effects.
 * @param needed prerequisite to acquire before `work` locks anything
 */
export function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  needed?: Prerequisite,
): Promise<T> {
  return repeatOnCollision(() => transact(pool, work, 'commit', needed));
}

/**
 * Does the same as {@link inTransaction} for work with external effects such as a vendor request: never repeats it
 * after a collision. Repeats it only after a {@link PrerequisiteMissingError}, which must be thrown before any external
 * effect.
 */
export function inTransactionOnce<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  needed?: Prerequisite,
): Promise<T> {
  return transact(pool, work, 'commit', needed);
}

/** Does the same as {@link inTransactionOnce} for trial runs: rolls back even when `work` resolves. */
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
  return withPrerequisites(needed, (onStart) =>
    transactOnce(
      pool,
      (client) => {
        onStart(client);
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
    return await runTransaction(pool, client, work, end);
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
