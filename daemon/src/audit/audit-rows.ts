import type pg from 'pg';

/** A stored record of the audit trail. */
export interface AuditRow {
  at: Date;
  actorType: string;
  actorId: string | null;
  userId: string | null;
  resource: string;
  resourceId: string | null;
  action: string;
  outcome: 'success' | 'denied' | 'failure';
  status: number;
  route: string;
  requestId: string | null;
  address: string | null;
  /** The change and its reason, if the route reports it. Never a health value. */
  detail: string | null;
  /** Number of equal events that this record represents. */
  occurrences: number;
}

const INSERT = `
insert into audit_event
  (at, actor_type, actor_id, user_id, resource, action, outcome, status, route, request_id, address, occurrences,
   resource_id, detail)
select * from unnest($1::timestamptz[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::text[],
  $8::int[], $9::text[], $10::text[], $11::text[], $12::int[], $13::text[], $14::text[])`;

/** Stores records in one statement. */
export async function insertAuditRows(pool: pg.Pool, rows: readonly AuditRow[]): Promise<void> {
  const column = <K extends keyof AuditRow>(name: K) => rows.map((row) => row[name]);
  await pool.query(INSERT, [
    column('at'),
    column('actorType'),
    column('actorId'),
    column('userId'),
    column('resource'),
    column('action'),
    column('outcome'),
    column('status'),
    column('route'),
    column('requestId'),
    column('address'),
    column('occurrences'),
    column('resourceId'),
    column('detail'),
  ]);
}
