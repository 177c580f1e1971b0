import type { ProviderId } from '@healthd/model';
import type { BudgetResponse, CloudProvider } from '@healthd/providers';
import { type Connection, REQUEST_PRIORITIES } from '../../connections/index.js';
import { moveNextTry } from '../../runs/index.js';
import type { OpenRun } from './open-runs.js';
import { priorityOf } from './pull-context.js';
import type { PullServices } from './pull-services.js';

/**
 * Queues a run behind the waiting runs of its priority. The oldest run resumes when its request fits into the quota.
 * Each later run also waits until the exhausted quota window has capacity for the runs ahead. Only a few runs check the
 * quota at a time, and no run starves. A run that was rejected only by its user's own quota window is not queued.
 * @returns the time at which the run resumes
 */
export async function waitForQuota(
  { pool, connections, now }: PullServices,
  { runId, kind }: Pick<OpenRun, 'runId' | 'kind'>,
  connection: Connection,
  { waitMs, perRequestMs }: BudgetResponse,
): Promise<Date> {
  const { provider } = connection;
  const priority = perRequestMs === undefined ? null : priorityOf(kind, connection);
  const { rows } = await pool.query<{ ahead: number }>(
    `select count(*)::int as ahead from pull_run o
       join connection c on c.id = o.connection_id and c.provider = $2
       join sync_run r on r.run_id = o.run_id
       join sync_run mine on mine.run_id = $1
      where o.waits_as = $3 and o.run_id <> $1 and (r.created_at, r.run_id) < (mine.created_at, mine.run_id)`,
    [runId, provider, priority],
  );
  const pull = connections.configurationOf(provider)?.cloud.pull;
  const aheadMs = (rows[0]?.ahead ?? 0) * runMs(pull, perRequestMs ?? 0);
  const at = new Date(now().getTime() + waitMs + aheadMs);
  await pool.query('update pull_run set resume_at = $2, waits_as = $3 where run_id = $1', [runId, at, priority]);
  return at;
}

/** Returns the time that one run needs of a quota window, with at least one request per data type. */
export function runMs(pull: CloudProvider['pull'], perRequestMs: number): number {
  return perRequestMs * (pull?.dataTypes.length ?? 1);
}

/**
 * Wakes the first run that waits for the quota if one of the passed runs has ended, because a run may need less than
 * its estimated time.
 * @returns the connection of the resumed run
 */
export async function wakeNextInLine(
  { pool, now }: Pick<PullServices, 'pool' | 'now'>,
  provider: ProviderId,
  runIds: readonly string[],
): Promise<string | undefined> {
  const { rows } = await pool.query<{ run_id: string; connection_id: string }>(
    `update pull_run set resume_at = $2
      where run_id = (
        select p.run_id from pull_run p
          join connection c on c.id = p.connection_id and c.provider = $1
          join sync_run r on r.run_id = p.run_id
         where p.waits_as is not null and p.resume_at > $2
         order by array_position($4::text[], p.waits_as), r.created_at, r.run_id limit 1)
        and exists (select from unnest($3::text[]) as mine (run_id)
                     where not exists (select from pull_run o where o.run_id = mine.run_id))
     returning run_id, connection_id`,
    [provider, now(), runIds, REQUEST_PRIORITIES],
  );
  const woken = rows[0];
  if (woken) await moveNextTry(pool, [woken.run_id], now());
  return woken?.connection_id;
}
