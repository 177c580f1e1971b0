import { MS_PER_DAY } from '@healthd/model';
import { type Connection, type Establishment, markPolled } from '../../connections/index.js';
import { cancelRun } from './end-run.js';
import { type ConnectedServices, enqueuePull } from './enqueue-pull.js';
import { openRunsOf, type PullRequest, queuePull, resumeNow } from './open-runs.js';
import { BACKFILL_DAYS } from './pull-range.js';

/** What follows a consent: an immediate pull and, when it is the first one or the past failed before, the past. */
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
  // Last of all: until then the schedule takes it for one that no one has begun to read.
  await markPolled(pool, connection.id, now());
  await enqueuePull(services, connection.id);
}

/** What was begun for another account of the vendor must not go on with this one. */
async function cancelRuns(services: ConnectedServices, { id }: Connection): Promise<void> {
  for (const run of await openRunsOf(services.pool, id)) {
    await cancelRun(services, run, 'Another account of the vendor was connected.');
  }
}

/** Queues the reading of the past, newest first. @returns the run and the days that it really reaches back */
export async function queueBackfill(
  services: Pick<ConnectedServices, 'pool' | 'runs' | 'now' | 'connections' | 'maxHistoricalDays'>,
  connection: Connection,
  wantedDays: number,
): Promise<{ runId: string; isNew: boolean } & BackfillRange> {
  const days = Math.min(wantedDays, BACKFILL_DAYS, services.maxHistoricalDays(connection.provider) ?? BACKFILL_DAYS);
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

/** What the backfill that is under way reads; `wanted` where it has ended in this moment. */
async function openBackfill({ pool }: Pick<ConnectedServices, 'pool'>, runId: string, wanted: BackfillRange) {
  const { rows } = await pool.query<{ from: Date | null; days: number | null }>(
    `select p.from_at as "from", (r.metadata ->> 'days')::int as days
       from pull_run p join sync_run r using (run_id) where p.run_id = $1`,
    [runId],
  );
  const { from, days } = rows[0] ?? {};
  if (!from || !days) return wanted;
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
