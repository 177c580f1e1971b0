import { MS_PER_MINUTE } from '@healthd/model';
import type pg from 'pg';
import type { Logger } from 'pino';
import { outageOf } from '../platform/database/index.js';
import { loggedError } from '../platform/logged-error.js';
import type { AuditEntry } from './answer-route.js';
import { type AuditRow, auditRowOf } from './audit-row.js';
import { RefusalCounts } from './refusal-counts.js';

export interface AuditOptions {
  pool: pg.Pool;
  log: Logger;
  /** Called for records that found no room on the disk. */
  onDiskFull?: () => void;
  /** How long a read may wait before its record is written. */
  flushMilliseconds?: number;
  /** How long refusals of callers without a credential are counted together. */
  countMilliseconds?: number;
}

/** Keeps the audit trail. Records never carry values. */
export interface AuditWriter {
  /**
   * Records a request. What changed something is written before this resolves; reads are gathered and written together
   * within 100 ms. What callers without a credential are refused is counted for a minute, after the first of each kind.
   * It never rejects: a record that cannot be written goes to the log whole, as an error.
   */
  record(entry: AuditEntry): Promise<void>;
  /** Writes what is gathered. */
  flush(): Promise<void>;
  /** Writes what is gathered and stops the clock; records after it are still written, at once. */
  close(): Promise<void>;
}

const INSERT = `
insert into audit_event
  (at, actor_type, actor_id, user_id, resource, action, outcome, status, route, request_id, address, occurrences,
   resource_id)
select * from unnest($1::timestamptz[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::text[],
  $8::int[], $9::text[], $10::text[], $11::text[], $12::int[], $13::text[])`;

/** More waiting records than this are written without waiting for the clock. */
const MAX_BATCH = 1000;

export function createAuditWriter({
  pool,
  flushMilliseconds = 100,
  countMilliseconds = MS_PER_MINUTE,
  ...options
}: AuditOptions): AuditWriter {
  const log = options.log.child({}, { serializers: { err: loggedError } });
  let waiting: AuditRow[] = [];
  let timer: NodeJS.Timeout | undefined;
  let counting: NodeJS.Timeout | undefined;
  let closed = false;
  const refusals = new RefusalCounts();
  const running = new Set<Promise<void>>();

  function write(rows: AuditRow[]): Promise<void> {
    const written = insert(pool, rows)
      .catch((error: unknown) => {
        if (outageOf(error) === 'disk_full') options.onDiskFull?.();
        log.error(
          { event: 'audit_records_not_stored', err: error, audit: rows },
          'Failed to store audit records; this line holds them',
        );
      })
      .finally(() => running.delete(written));
    running.add(written);
    return written;
  }

  function writeWaiting(): void {
    clearTimeout(timer);
    timer = undefined;
    const rows = waiting;
    waiting = [];
    if (rows.length > 0) void write(rows);
  }

  function writeCounts(): void {
    clearTimeout(counting);
    counting = undefined;
    waiting.push(...refusals.take());
    writeWaiting();
  }

  async function flush(): Promise<void> {
    writeCounts();
    await Promise.all(running);
  }

  return {
    async record(entry) {
      const row = auditRowOf(entry);
      if (!row) return;
      if (isAnonymousRefusal(row) && !closed) {
        if (refusals.isFull) writeCounts();
        counting ??= setTimeout(writeCounts, countMilliseconds).unref();
        if (!refusals.isFirst(row)) return;
      }
      if (row.outcome === 'success' && row.action !== 'read') return write([row]);
      waiting.push(row);
      if (closed || waiting.length >= MAX_BATCH) writeWaiting();
      else timer ??= setTimeout(writeWaiting, flushMilliseconds);
    },
    flush,
    close() {
      closed = true;
      return flush();
    },
  };
}

function isAnonymousRefusal({ actorType, outcome }: AuditRow): boolean {
  return actorType === 'anonymous' && outcome !== 'success';
}

async function insert(pool: pg.Pool, rows: readonly AuditRow[]): Promise<void> {
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
  ]);
}
