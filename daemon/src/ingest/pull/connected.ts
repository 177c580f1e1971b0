import { MS_PER_DAY } from '@healthd/model';
import { type Connection, type Establishment, markPolled } from '../../connections/index.js';
import { cancelRun } from './end-run.js';
import { type ConnectedServices, enqueuePull } from './enqueue-pull.js';
import { openRunsOf, type PullRequest, queuePull, resumeNow } from './open-runs.js';
import { BACKFILL_DAYS } from './pull-range.js';

/** Starts reading after a consent: queues a pull, and a backfill after the first consent or a failed backfill. */
export async function startReading(
  services: ConnectedServices,
  connection: Connection,
  { firstEver, accountChanged }: Pick<Establishment, 'firstEver' | 'accountChanged'>,
): Promise<void> {
  const { pool, now, historicalSyncOnConnect } = services;
  if (!services.connections.configurationOf(connection.provider)?.cloud.pull) return;
  if (accountChanged) await cancelRuns(services, connection);
  await resumeNow(pool, connection.id, now());
  if (historicalSyncOnConnect && (firstEver || (await lastBackfillFailed(services, connection)))) {
    await queueBackfill(services, connection, BACKFILL_DAYS);
  }
  await queuePull(services, connection, { kind: 'live' });
  // Must run after the pulls are queued: until then the schedule treats the connection as not yet started.
  await markPolled(pool, connection.id, now());
  await enqueuePull(services, connection.id);
}

/** Cancels the connection's open runs, because they were started for the previous vendor account. */
async function cancelRuns(services: ConnectedServices, { id }: Connection): Promise<void> {
  for (const run of await openRunsOf(services.pool, id)) {
    await cancelRun(services, run, 'Another account of the vendor was connected.');
  }
}

/** Queues a backfill, newest data first. @returns the run and the days that it covers */
export async function queueBackfill(
  services: Pick<ConnectedServices, 'pool' | 'runs' | 'now' | 'connections' | 'maxHistoricalDays'>,
  connection: Connection,
  requestedDays: number,
): Promise<{ runId: string; isNew: boolean } & BackfillRange> {
  const days = Math.min(requestedDays, BACKFILL_DAYS, services.maxHistoricalDays(connection.provider) ?? BACKFILL_DAYS);
  const to = services.now();
  const from = new Date(to.getTime() - days * MS_PER_DAY);
  const request: PullRequest = { kind: 'backfill', fromAt: from, metadata: { days } };
  const queued = await queuePull(services, connection, request);
  if (!queued.isNew) return { ...queued, ...(await openBackfill(services, queued.runId, { days, from, to })) };
  await services.connections.markBackfillStarted(connection.id, to);
  return { ...queued, days, from, to };
}

interface BackfillRange {
  days: number;
  from: Date;
  to: Date;
}

/** Returns the range of the open backfill, or `requested` if the backfill has just ended. */
async function openBackfill({ pool }: Pick<ConnectedServices, 'pool'>, runId: string, requested: BackfillRange) {
  const { rows } = await pool.query<{ from: Date | null; days: number | null }>(
    `select p.from_at as "from", (r.metadata ->> 'days')::int as days
       from pull_run p join sync_run r using (run_id) where p.run_id = $1`,
    [runId],
  );
  const { from, days } = rows[0] ?? {};
  if (!from || !days) return requested;
  return { days, from, to: new Date(from.getTime() + days * MS_PER_DAY) };
}

async function lastBackfillFailed(
  { pool }: ConnectedServices,
  { userKey, provider }: Pick<Connection, 'userKey' | 'provider'>,
): Promise<boolean> {
  const { rows } = await pool.query<{ status: string }>(
    `select status from sync_run where user_key = $1 and provider = $2 and source = 'backfill'
      order by created_at desc limit 1`,
    [userKey, provider],
  );
  return rows[0]?.status === 'failed' || rows[0]?.status === 'partial';
}
