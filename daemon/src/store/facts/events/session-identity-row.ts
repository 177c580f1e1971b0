import { storableText } from '../storable-text.js';
import type { SessionFacts } from './session-identity.js';
import type { ArrivingSession, SessionKind, StoredSession } from './session-kind.js';

/** What identity follows, as the table holds it. */
export function factsOf<Row extends ArrivingSession>(kind: SessionKind<Row>, row: Row): SessionFacts {
  const { sourceId, startMs, endMs, externalId } = row;
  const name = externalId === undefined ? undefined : storableText(externalId);
  return { sourceId, startMs, endMs, externalId: name, variant: kind.variant(row) };
}

/** The columns of a session that identity follows. */
export function identityColumns(kind: Pick<SessionKind<never>, 'dateColumn' | 'variantSql'>): string {
  return `s.id, s.source_id, s.external_id, extract(epoch from s.start_at)::float8 * 1000 as start_ms,
          extract(epoch from s.end_at)::float8 * 1000 as end_ms, s.offset_minutes, s.${kind.dateColumn}::text as end_date,
          ${kind.variantSql} as variant`;
}

/** A row of {@link identityColumns}. */
export interface IdentityRow {
  id: string;
  source_id: number;
  external_id: string | null;
  start_ms: number;
  end_ms: number;
  offset_minutes: number | null;
  end_date: string;
  variant: string;
}

/** The session of a row. */
export function storedSession(row: IdentityRow): StoredSession {
  return {
    id: row.id,
    sourceId: row.source_id,
    externalId: row.external_id ?? undefined,
    startMs: Math.round(row.start_ms),
    endMs: Math.round(row.end_ms),
    offsetMinutes: row.offset_minutes ?? undefined,
    endDate: row.end_date,
    variant: row.variant,
  };
}
