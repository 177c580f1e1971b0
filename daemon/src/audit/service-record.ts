import type { AuditAction } from '@healthd/contract';
import type pg from 'pg';

/** An automatic action of the service on one user's data. */
export interface ServiceAct {
  userKey: number;
  resource: string;
  action: AuditAction;
  /** Name of the job. */
  job: string;
  /** Action and reason. Never a health value. */
  detail?: string;
}

/** Records an automatic action of the service, in the transaction of that action. */
export async function recordServiceAct(client: pg.ClientBase, act: ServiceAct): Promise<void> {
  await client.query(
    `insert into audit_event (actor_type, user_id, resource, action, outcome, route, detail)
     select 'service', id, $2, $3, 'success', $4, $5 from health_user where user_key = $1`,
    [act.userKey, act.resource, act.action, act.job, act.detail ?? null],
  );
}
