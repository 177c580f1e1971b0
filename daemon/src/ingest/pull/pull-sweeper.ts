import { type JobSweeper, runLockIsHeld } from '../../platform/jobs/index.js';
import { JOB_CONNECTION, PULL_JOB, type PullPayload } from './enqueue-pull.js';
import type { PullServices } from './pull-services.js';

/**
 * Finds due runs and waiting notifications that no process works on: postponed runs, runs that the schedule spread over
 * time, and runs whose process crashed.
 */
export function pullSweeper({ pool, now }: Pick<PullServices, 'pool' | 'now'>): JobSweeper<PullPayload> {
  return {
    name: PULL_JOB,
    async findUnqueued(limit) {
      const { rows } = await pool.query<{ id: string }>(
        `select id from (
           select id, min(since) as since from (
             select ${JOB_CONNECTION} as id, p.resume_at as since
               from pull_run p join connection c on c.id = p.connection_id where p.resume_at <= $2
             union all
             select ${JOB_CONNECTION}, n.received_at
               from provider_notification n
               join connection c on c.provider = n.provider and c.provider_user_id = n.provider_user_id
                                and c.status = 'active'
              where n.run_id is null and n.state = 'received'
           ) due group by id
         ) waiting
         where not ${runLockIsHeld("$1 || ' connection ' || id::text")}
         order by since limit $3`,
        [PULL_JOB, now(), limit],
      );
      return rows.map(({ id }) => ({ connection_id: id }));
    },
  };
}
