import type { AuditActorType, AuditOutcome } from '@healthd/contract';
import type { AuditEvent, AuditList } from '@healthd/schemas';
import type pg from 'pg';
import { unprocessable } from '../platform/failures.js';

/** Position at which a page ends: time in epoch microseconds and number of its last record. */
interface AuditCursor {
  micros: number;
  seq: number;
}

const FORM = /^v1\.(\d{1,17})\.(\d{1,16})$/;

/** Encodes a position as a cursor. */
function encodeCursor({ micros, seq }: AuditCursor): string {
  return Buffer.from(`v1.${micros}.${seq}`).toString('base64url');
}

/** @throws Failure `unprocessable` on `query.cursor` for an invalid cursor */
function decodeCursor(text: string): AuditCursor {
  const [, micros, seq] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const position = { micros: Number(micros), seq: Number(seq) };
  if (!Number.isSafeInteger(position.micros) || !Number.isSafeInteger(position.seq)) {
    throw unprocessable(['query', 'cursor'], 'Invalid cursor format.');
  }
  return position;
}

/** Filters of a list. Omitted members do not filter. Times are epoch milliseconds. */
export interface AuditQuery {
  userId?: string | undefined;
  actorType?: AuditActorType | undefined;
  actorId?: string | undefined;
  resource?: string | undefined;
  action?: string | undefined;
  outcome?: AuditOutcome | undefined;
  /** Start of the time range, inclusive. */
  fromMs?: number | undefined;
  /** End of the time range, exclusive. */
  toMs?: number | undefined;
  limit: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined;
}

interface Row extends Omit<AuditEvent, 'id' | 'at'> {
  seq: number;
  at: Date;
  at_micros: number;
}

const COLUMNS = `seq, at, (extract(epoch from at) * 1000000)::bigint as at_micros, actor_type, actor_id, user_id,
  resource, resource_id, action, outcome, status, route, request_id, address, occurrences, detail`;

/** Converts microseconds without rounding; a double in seconds would lose digits. */
const INSTANT_OF_MICROS = (parameter: string) =>
  `timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond'`;

/** Returns one page of the audit trail, newest first. @throws Failure `unprocessable` for an invalid cursor */
export async function listAuditEvents(pool: pg.Pool, query: AuditQuery): Promise<AuditList> {
  const { where, values } = conditions(query);
  const { rows } = await pool.query<Row>(
    `select ${COLUMNS} from audit_event ${where} order by at desc, seq desc limit $${values.length + 1}`,
    [...values, query.limit + 1],
  );
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const hasMore = rows.length > query.limit;
  const nextCursor = hasMore && last ? encodeCursor({ micros: last.at_micros, seq: last.seq }) : null;
  return {
    data: page.map(eventOf),
    pagination: { next_cursor: nextCursor, previous_cursor: null, has_more: hasMore, total_count: null },
  };
}

function conditions(query: AuditQuery): { where: string; values: unknown[] } {
  const values: unknown[] = [];
  const found: string[] = [];
  const equal = { user_id: 'userId', actor_type: 'actorType', actor_id: 'actorId', resource: 'resource' } as const;
  for (const [column, name] of Object.entries({ ...equal, action: 'action', outcome: 'outcome' } as const)) {
    if (query[name] !== undefined) found.push(`${column} = $${values.push(query[name])}`);
  }
  if (query.fromMs !== undefined) found.push(`at >= ${INSTANT_OF_MICROS(`$${values.push(query.fromMs * 1000)}`)}`);
  if (query.toMs !== undefined) found.push(`at < ${INSTANT_OF_MICROS(`$${values.push(query.toMs * 1000)}`)}`);
  if (query.cursor !== undefined) {
    const { micros, seq } = decodeCursor(query.cursor);
    found.push(`(at, seq) < (${INSTANT_OF_MICROS(`$${values.push(micros)}`)}, $${values.push(seq)}::bigint)`);
  }
  return { where: found.length > 0 ? `where ${found.join(' and ')}` : '', values };
}

function eventOf({ seq, at, at_micros: _, ...row }: Row): AuditEvent {
  return { id: seq, at: at.toISOString(), ...row };
}
