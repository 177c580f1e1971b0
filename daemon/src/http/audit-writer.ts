import type pg from 'pg';
import type { Logger } from 'pino';
import { loggedError } from '../logged-error.js';
import type { AuditEntry } from './answer-route.js';
import type { Caller } from './binding.js';

export interface AuditOptions {
  pool: pg.Pool;
  log: Logger;
  /** How long a read may wait before its record is written. */
  flushMilliseconds?: number;
}

/** Keeps the audit trail. Records never carry values. */
export interface AuditWriter {
  /**
   * Records a request. What changed something is written before this resolves; reads are gathered and written together
   * within 100 ms. It never rejects: a record that cannot be written goes to the log whole, as an error.
   */
  record(entry: AuditEntry): Promise<void>;
  /** Writes what is gathered. */
  flush(): Promise<void>;
  /** Writes what is gathered and stops the clock; records after it are still written, at once. */
  close(): Promise<void>;
}

interface Row {
  at: Date;
  actorType: string;
  actorId: string | null;
  userId: string | null;
  resource: string;
  action: string;
  outcome: 'success' | 'denied' | 'failure';
  status: number;
  route: string;
  requestId: string;
  address: string | null;
}

const INSERT = `
insert into audit_event
  (at, actor_type, actor_id, user_id, resource, action, outcome, status, route, request_id, address)
select * from unnest($1::timestamptz[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::text[],
  $8::int[], $9::text[], $10::text[], $11::text[])`;

/** More waiting records than this are written without waiting for the clock. */
const MAX_BATCH = 1000;

export function createAuditWriter({ pool, flushMilliseconds = 100, ...options }: AuditOptions): AuditWriter {
  const log = options.log.child({}, { serializers: { err: loggedError } });
  let waiting: Row[] = [];
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const running = new Set<Promise<void>>();

  function write(rows: Row[]): Promise<void> {
    const written = insert(pool, rows)
      .catch((error: unknown) => {
        log.error({ err: error, audit: rows }, 'audit records could not be stored; they stand in this line');
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

  async function flush(): Promise<void> {
    writeWaiting();
    await Promise.all(running);
  }

  return {
    async record(entry) {
      const row = rowOf(entry);
      if (!row) return;
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

function rowOf({ route, caller, userId, status, requestId, address }: AuditEntry): Row | undefined {
  if ('exempt' in route.audit) return undefined;
  const [actorType, actorId] = actorOf(caller);
  const { resource, action } = route.audit;
  const outcome = status < 400 ? 'success' : status === 401 || status === 403 ? 'denied' : 'failure';
  return {
    at: new Date(),
    ...{ actorType, actorId, resource, action, outcome, status, requestId },
    userId: userId ?? (caller.kind === 'sdk' ? caller.userId : null),
    route: route.id,
    address: address ?? null,
  };
}

function actorOf(caller: Caller): [type: string, id: string | null] {
  switch (caller.kind) {
    case 'developer':
      return ['developer', caller.developerId];
    case 'api_key':
      return ['api_key', caller.keyId];
    case 'sdk':
    case 'application':
      return [caller.kind, caller.appId];
    case 'public':
      return ['anonymous', null];
  }
}

async function insert(pool: pg.Pool, rows: readonly Row[]): Promise<void> {
  const column = <K extends keyof Row>(name: K) => rows.map((row) => row[name]);
  await pool.query(INSERT, [
    ...[column('at'), column('actorType'), column('actorId'), column('userId'), column('resource'), column('action')],
    ...[column('outcome'), column('status'), column('route'), column('requestId'), column('address')],
  ]);
}
