import type pg from 'pg';
import type { Connection } from '../../connections/index.js';
import { inTransaction, lockUserIfExists } from '../../platform/database/index.js';
import { newRunId } from '../../runs/index.js';
import type { OpenRun } from './open-runs.js';
import type { PullServices } from './pull-services.js';

/** Another user's run with the same vendor account. */
export interface LinkedRun {
  runId: string;
  connectionId: string;
  userKey: number;
}

/** Returns the other user's run that stores the data of `run`. Starts that run if it does not exist yet. */
export async function linkedRunOf(
  { pool, runs }: PullServices,
  run: OpenRun,
  primary: Connection,
  linked: Connection,
): Promise<string> {
  const find = async (client: pg.Pool | pg.ClientBase) => {
    const { rows } = await client.query<{ run_id: string }>(
      'select run_id from linked_run where primary_run_id = $1 and connection_id = $2',
      [run.runId, linked.id],
    );
    return rows[0]?.run_id;
  };
  const known = await find(pool);
  if (known !== undefined) return known;
  const runId = await inTransaction(pool, async (client) => {
    await lockUserIfExists(client, { userKey: linked.userKey });
    const concurrent = await find(client);
    if (concurrent !== undefined) return concurrent;
    const fresh = newRunId('pull');
    await runs.queue(client, {
      runId: fresh,
      userKey: linked.userKey,
      provider: linked.provider,
      source: 'linked_account',
      primaryUserId: primary.userId,
      metadata: { connection_id: linked.id, primary_run_id: run.runId, is_historical: run.kind === 'backfill' },
    });
    await client.query('insert into linked_run (run_id, primary_run_id, connection_id) values ($1, $2, $3)', [
      fresh,
      run.runId,
      linked.id,
    ]);
    await runs.moveIn(client, fresh, 'started', {
      message: 'Syncing together with another run of the same vendor account.',
    });
    return fresh;
  });
  runs.announce(linked.userKey);
  return runId;
}

/** Returns the open runs of other users that `runId` feeds. */
export async function openLinkedRuns(pool: pg.Pool, runId: string): Promise<LinkedRun[]> {
  const { rows } = await pool.query<LinkedRun>(
    `select l.run_id as "runId", l.connection_id as "connectionId", r.user_key as "userKey"
       from linked_run l join sync_run r on r.run_id = l.run_id
      where l.primary_run_id = $1 and r.ended_at is null order by r.user_key`,
    [runId],
  );
  return rows;
}
