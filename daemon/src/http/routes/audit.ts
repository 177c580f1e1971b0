import { listAuditEvents as listAuditEventsRoute } from '@healthd/schemas';
import type pg from 'pg';
import { listAuditEvents } from '../../audit/index.js';
import { type Binding, bind } from '../binding.js';

/** Routes for the audit trail, for developers only. Reading it is recorded too, with the requested user. */
export function auditRoutes({ pool }: { pool: pg.Pool }): Binding[] {
  return [
    bind(listAuditEventsRoute, ({ query }) =>
      listAuditEvents(pool, {
        userId: query.user_id,
        actorType: query.actor_type,
        actorId: query.actor_id,
        resource: query.resource,
        action: query.action,
        outcome: query.outcome,
        fromMs: query.from?.ms,
        toMs: query.to?.ms,
        limit: query.limit,
        cursor: query.cursor,
      }),
    ),
  ];
}
