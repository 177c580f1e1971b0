import type { SyncSource } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type pg from 'pg';
import type { Connection } from '../../connections/index.js';
import { inTransaction, lockUserIfExists, statement } from '../../platform/database/index.js';
import { moveNextTry, newRunId } from '../../runs/index.js';
import type { PullServices } from './pull-services.js';

/**
 * Reasons for reading from a vendor, most urgent first: the vendor reported changes, a caller requested data, the
 * schedule, the backfill.
 */
const PULL_KINDS = ['webhook', 'manual', 'live', 'backfill'] as const;
export type PullKind = (typeof PULL_KINDS)[number];

const SOURCE_OF_KIND: Readonly<Record<PullKind, SyncSource>> = {
  webhook: 'webhook',
  manual: 'pull',
  live: 'pull',
  backfill: 'backfill',
};

/** A run that has not ended. */
export interface OpenRun {
  runId: string;
  connectionId: string;
  provider: ProviderId;
  kind: PullKind;
  /** Data types that the run is limited to; undefined for all types that the user granted. */
  dataTypes: readonly string[] | undefined;
  /** Start of the run's range, if it does not start at the cursors. */
  fromAt: Date | undefined;
  /** Number of failed attempts since the run last stored something. */
  failures: number;
  /** True if the run's last attempt had to wait for the quota. */
  isInLine: boolean;
  /** True if the run has not been planned yet. */
  isNew: boolean;
}

/** True if the run starts at the cursors, so that it leaves no gap in the data. */
export function followsCursors({ kind, fromAt }: Pick<OpenRun, 'kind' | 'fromAt'>): boolean {
  return (kind === 'live' || kind === 'manual') && fromAt === undefined;
}

/** Options of a run. */
export interface PullRequest {
  kind: PullKind;
  dataTypes?: readonly string[];
  fromAt?: Date;
  /** Earliest time at which the run may start. */
  startAt?: Date;
  metadata?: Record<string, unknown>;
}

/**
 * Queues a run for a connection. If a run of this type is open, returns its ID instead and does not shorten its delay.
 * A webhook run is always new. The caller enqueues the connection's job.
 */
export async function queuePull(
  services: Pick<PullServices, 'pool' | 'runs' | 'now'>,
  connection: Pick<Connection, 'id' | 'userKey' | 'provider'>,
  request: PullRequest,
): Promise<{ runId: string; isNew: boolean }> {
  const queued = await inTransaction(services.pool, (client) => queuePullIn(services, client, connection, request));
  if (queued.isNew) services.runs.announce(connection.userKey);
  return queued;
}

/** Does the same as {@link queuePull} in the caller's transaction. The caller announces the run after the commit. */
export async function queuePullIn(
  { runs, now }: Pick<PullServices, 'runs' | 'now'>,
  client: pg.ClientBase,
  { id, userKey, provider }: Pick<Connection, 'id' | 'userKey' | 'provider'>,
  { kind, dataTypes, fromAt, startAt = now(), metadata }: PullRequest,
): Promise<{ runId: string; isNew: boolean }> {
  await lockUserIfExists(client, { userKey });
  // Changes that arrive while a long run reads older reports get a separate run.
  const open = kind === 'webhook' ? undefined : await openRunOf(client, id, kind);
  if (open !== undefined) return { runId: open, isNew: false };
  const runId = newRunId(kind === 'webhook' ? 'wh' : 'pull');
  const facts = { connection_id: id, is_historical: kind === 'backfill', ...metadata };
  await runs.queue(client, { runId, userKey, provider, source: SOURCE_OF_KIND[kind], metadata: facts });
  await client.query(
    `insert into pull_run (run_id, connection_id, kind, data_types, from_at, resume_at) values ($1, $2, $3, $4, $5, $6)`,
    [runId, id, kind, dataTypes ?? null, fromAt ?? null, startAt],
  );
  return { runId, isNew: true };
}

async function openRunOf(client: pg.ClientBase, connectionId: string, kind: PullKind): Promise<string | undefined> {
  const { rows } = await client.query<{ run_id: string }>(
    'select run_id from pull_run where connection_id = $1 and kind = $2',
    [connectionId, kind],
  );
  return rows[0]?.run_id;
}

/**
 * Number of windows after which a run is long. Shorter runs go first, and long runs alternate. An ordinary pull of all
 * data types is below this limit.
 */
export const LONG_RUN_WINDOWS = 32;

/** SQL: number of windows that the run in row `p` of `pull_run` has read. */
export const WINDOWS_READ = `(select coalesce(sum(g.windows), 0) from pull_progress g where g.run_id = p.run_id)`;

/**
 * Connections whose runs one job processes in sequence: the connection in parameter 1 and the active connections of the
 * same vendor account.
 */
const CONNECTIONS_OF_JOB = `
  select $1::uuid as id
  union
  select other.id from connection self
    join connection other on other.provider = self.provider and other.provider_user_id = self.provider_user_id
                         and other.status = 'active'
   where self.id = $1 and self.status = 'active'`;

/** Number of stored delivery chunks by connection id. */
export type DeliveredChunks = Readonly<Record<string, number>>;

/** What a connection's job has to do next. */
export interface DueWork {
  /** The due run to continue: the most urgent short run, otherwise the long run that has read least. */
  run: OpenRun | undefined;
  /** True if notifications of the connection's vendor account wait for a run. */
  hasNotifications: boolean;
  /** Delivery chunks that are stored for the connections of the vendor account. */
  delivered: DeliveredChunks;
}

const dueWorkStatement = statement(
  'pull-due-work',
  `with job as materialized (${CONNECTIONS_OF_JOB})
   select exists (select from connection c join provider_notification n using (provider, provider_user_id)
                   where c.id = $1 and n.run_id is null and n.state = 'received') as "hasNotifications",
          (select coalesce(jsonb_object_agg(c.id, c.delivered_portions), '{}')
             from connection c where c.id in (select id from job)) as delivered,
          run.*
     from (select) always
     left join lateral (
       select p.run_id as "runId", p.connection_id as "connectionId", c.provider, p.kind, p.data_types as "dataTypes",
              p.from_at as "fromAt", p.failures, p.waits_as is not null as "isInLine",
              not exists (select from pull_progress g where g.run_id = p.run_id) as "isNew"
         from pull_run p join connection c on c.id = p.connection_id
        cross join lateral (select ${WINDOWS_READ} as windows) r
        where p.connection_id in (select id from job) and p.resume_at <= $2
        order by greatest(r.windows, $4 - 1), array_position($3::text[], p.kind), p.resume_at, p.run_id limit 1
     ) run on true`,
);

/** Finds what a connection's job has to do next. One statement, because it runs before every window. */
export async function dueWork(pool: pg.Pool, connectionId: string, now: Date): Promise<DueWork> {
  const values = [connectionId, now, PULL_KINDS, LONG_RUN_WINDOWS];
  const { rows } = await pool.query<OpenRun & Omit<DueWork, 'run'>>(dueWorkStatement(values));
  const [row] = rows;
  if (!row) throw new Error('The statement returned no row.');
  const { hasNotifications, delivered, ...run } = row;
  const isDue = (run.runId as string | null) !== null;
  const open = { ...run, dataTypes: run.dataTypes ?? undefined, fromAt: run.fromAt ?? undefined };
  return { run: isDue ? open : undefined, hasNotifications, delivered };
}

/** Returns the time when the job's next run is due; undefined without an open run. */
export async function nextResumeAt(pool: pg.Pool, connectionId: string): Promise<Date | undefined> {
  const { rows } = await pool.query<{ at: Date | null }>(
    `select min(resume_at) as at from pull_run where connection_id in (${CONNECTIONS_OF_JOB})`,
    [connectionId],
  );
  return rows[0]?.at ?? undefined;
}

/** Returns all open runs of one connection, due or not. */
export async function openRunsOf(
  pool: pg.Pool,
  connectionId: string,
): Promise<Pick<OpenRun, 'runId' | 'connectionId'>[]> {
  const { rows } = await pool.query<Pick<OpenRun, 'runId' | 'connectionId'>>(
    'select run_id as "runId", connection_id as "connectionId" from pull_run where connection_id = $1',
    [connectionId],
  );
  return rows;
}

/** Postpones a run and counts a failed attempt. */
export async function postpone(pool: pg.Pool, runId: string, resumeAt: Date): Promise<void> {
  await pool.query('update pull_run set resume_at = $2, failures = failures + 1, waits_as = null where run_id = $1', [
    runId,
    resumeAt,
  ]);
}

/** Counts a failed attempt without postponing the run. */
export async function countFailure(pool: pg.Pool, runId: string): Promise<void> {
  await pool.query('update pull_run set failures = failures + 1 where run_id = $1', [runId]);
}

/** Clears the failures of the previous data type. */
export async function resetFailures(client: pg.Pool | pg.ClientBase, runId: string): Promise<void> {
  await client.query('update pull_run set failures = 0, waits_as = null where run_id = $1', [runId]);
}

/** Makes a connection's postponed runs due. Call after a consent, or when the vendor account first returns data. */
export async function resumeNow(pool: pg.Pool, connectionId: string, now: Date): Promise<void> {
  const { rows } = await pool.query<{ run_id: string }>(
    `update pull_run set resume_at = $2, failures = 0 where connection_id = $1 and resume_at > $2 returning run_id`,
    [connectionId, now],
  );
  const runIds = rows.map(({ run_id }) => run_id);
  if (runIds.length > 0) await moveNextTry(pool, runIds, now);
}
