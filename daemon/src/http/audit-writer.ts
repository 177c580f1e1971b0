import { MS_PER_MINUTE } from '@healthd/model';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type AuditRow, insertAuditRows } from '../audit/index.js';
import { outageOf } from '../platform/database/index.js';
import { loggedError } from '../platform/logged-error.js';
import { auditRowOf } from './audit-row.js';
import { RejectionCounts } from './rejection-counts.js';
import type { AuditEntry } from './route-services.js';

export interface AuditOptions {
  pool: pg.Pool;
  log: Logger;
  /** Called if records cannot be stored because the disk is full. */
  onDiskFull?: () => void;
  /** Maximum delay of a batched record. */
  flushMilliseconds?: number;
  /** Period over which rejections of unauthenticated callers are counted. */
  countMilliseconds?: number;
}

/** Writes the audit trail. Records never contain values. */
export interface AuditWriter {
  /**
   * Records a request. For successful writes, resolves after the record is stored; all other records are batched and
   * stored within 100 ms. Stores the first rejection of unauthenticated callers per route, status and network, and
   * counts further rejections per minute. Never rejects: logs a record that cannot be stored completely as an error.
   */
  record(entry: AuditEntry): Promise<void>;
  /** Writes the batched records. */
  flush(): Promise<void>;
  /** Writes the batched records and stops the timer. Later records are written immediately. */
  close(): Promise<void>;
}

/** Number of waiting records above which they are written immediately. */
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
  const rejections = new RejectionCounts();
  const running = new Set<Promise<void>>();

  function write(rows: AuditRow[]): Promise<void> {
    const written = insertAuditRows(pool, rows)
      .catch((error: unknown) => {
        if (outageOf(error) === 'disk_full') options.onDiskFull?.();
        log.error(
          { event: 'audit_records_not_stored', err: error, audit: rows },
          'Failed to store audit records; this line contains them',
        );
      })
      .finally(() => running.delete(written));
    running.add(written);
    return written;
  }

  function writeBatch(): void {
    clearTimeout(timer);
    timer = undefined;
    const rows = waiting;
    waiting = [];
    if (rows.length > 0) void write(rows);
  }

  function writeCounts(): void {
    clearTimeout(counting);
    counting = undefined;
    waiting.push(...rejections.take());
    writeBatch();
  }

  async function flush(): Promise<void> {
    writeCounts();
    await Promise.all(running);
  }

  return {
    async record(entry) {
      const row = auditRowOf(entry);
      if (!row) return;
      if (isAnonymousRejection(row) && !closed) {
        if (rejections.isFull) writeCounts();
        counting ??= setTimeout(writeCounts, countMilliseconds).unref();
        if (!rejections.isFirst(row)) return;
      }
      if (row.outcome === 'success' && row.action !== 'read') return write([row]);
      waiting.push(row);
      if (closed || waiting.length >= MAX_BATCH) writeBatch();
      else timer ??= setTimeout(writeBatch, flushMilliseconds);
    },
    flush,
    close() {
      closed = true;
      return flush();
    },
  };
}

function isAnonymousRejection({ actorType, outcome }: AuditRow): boolean {
  return actorType === 'anonymous' && outcome !== 'success';
}
