import { SECONDS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import type { Cleaning } from '../platform/cleaning.js';

const EVERY_SECONDS = SECONDS_PER_DAY;
const RECORDS_PER_STATEMENT = 5_000;

/** Deletes audit records that are older than this many days, in batches of some thousand rows. */
export async function deleteOldAuditEvents(pool: pg.Pool, days: number, signal?: AbortSignal): Promise<number> {
  let total = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { rows } = await pool.query<{ deleted: number }>(
      'select delete_old_audit_events(now() - make_interval(days => $1), $2) as deleted',
      [days, RECORDS_PER_STATEMENT],
    );
    const deleted = rows[0]?.deleted ?? 0;
    total += deleted;
    if (deleted < RECORDS_PER_STATEMENT) return total;
  }
}

/** Creates the daily cleanup of old audit records. */
export function auditCleaning({ pool, days }: { pool: pg.Pool; days: number }): Cleaning {
  return {
    name: 'delete-old-audit-events',
    everySeconds: EVERY_SECONDS,
    async clean({ signal, log }) {
      const deleted = await deleteOldAuditEvents(pool, days, signal);
      if (deleted > 0) log.info({ event: 'audit_records_deleted', deleted }, 'Deleted old audit records');
    },
  };
}
