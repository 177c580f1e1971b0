import pg from 'pg';
import { Failure } from '../platform/failures.js';
import type { SourceAddress } from './source-address.js';

/** A read-only snapshot of an Open Wearables database. */
export interface SourceDatabase {
  /** URL without the password. */
  shown: string;
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /**
   * Streams a statement's rows, so that memory does not grow with their number. A caller may read several streams
   * alternately.
   */
  stream<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): AsyncGenerator<Row>;
  close(): Promise<void>;
}

/** Timeout of the connection. */
const CONNECT_MS = 10_000;
/** Number of rows per fetch. */
const AT_ONCE = 5_000;

/**
 * Opens the source in one read-only transaction, so that all reads see the same snapshot, however long they take.
 * @throws Failure `unavailable` if it does not respond or rejects the connection
 */
export async function openSourceDatabase({ url, shown }: SourceAddress): Promise<SourceDatabase> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'healthd migrate-from',
    connectionTimeoutMillis: CONNECT_MS,
  });
  // Ignores the event: if the connection breaks, the next statement fails and reports it.
  client.on('error', () => undefined);
  const orFail = async <T>(work: Promise<T>): Promise<T> => work.catch((error: unknown) => fail(shown, error));
  await client.connect().catch((error: unknown) => failToConnect(shown, error));
  const query = async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    (await orFail(client.query<Row>(sql, values))).rows;
  await query('begin transaction isolation level repeatable read read only').catch(async (error: unknown) => {
    await client.end();
    throw error;
  });
  await query(`set local timezone = 'UTC'`);
  await query('set local idle_in_transaction_session_timeout = 0');
  await query('set local statement_timeout = 0');
  let cursors = 0;
  return {
    shown,
    query,
    async *stream(sql, values) {
      const name = `rows_${++cursors}`;
      await query(`declare ${name} no scroll cursor for ${sql}`, values);
      for (;;) {
        const rows = await query(`fetch ${AT_ONCE} from ${name}`);
        yield* rows as never[];
        if (rows.length < AT_ONCE) break;
      }
      await query(`close ${name}`);
    },
    close: () => client.end(),
  };
}

/** @throws Failure `unavailable` */
function failToConnect(shown: string, cause: unknown): never {
  const { code, severity } = cause as { code?: string; severity?: string };
  // Postgres errors have a severity, network errors a code.
  if (severity !== undefined || code !== undefined) return fail(shown, cause);
  throw new Failure('unavailable', `Open Wearables at ${shown}: no Postgres responded within 10 seconds.`, {
    cause,
  });
}

function fail(shown: string, cause: unknown): never {
  const { code, message, severity } = cause as { code?: string; message?: string; severity?: string };
  const isBroken = severity === undefined || code === '57P01' || code === '57P02' || code === '25P03';
  const what =
    code === '28P01' || code === '28000'
      ? 'it rejects the user or the password'
      : code === '42501'
        ? `the user may not read a table: ${message}. Grant SELECT on all tables`
        : isBroken && code !== 'ECONNREFUSED' && code !== 'ENOTFOUND'
          ? `the connection broke: ${message ?? 'it is unavailable'}. Start again: nothing is copied twice`
          : (message ?? 'it is unavailable');
  throw new Failure('unavailable', `Open Wearables at ${shown}: ${what}${code ? ` (${code})` : ''}.`, { cause });
}
