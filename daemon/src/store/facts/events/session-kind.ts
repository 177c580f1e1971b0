import type { EventColumn } from './event-columns.js';

/** Facts that distinguish a source's workouts, or vendors' nights. */
export interface SessionFacts {
  sourceId: number;
  externalId?: string;
  startMs: number;
  endMs: number;
  /** Type of a workout. For sleep, distinguishes naps from nights. */
  variant: string;
}

/** Rule that distinguishes sessions without an id. */
export interface IdentityRule {
  /**
   * True if sessions with the same start second and different ends are different sessions, not versions of one session.
   */
  differsByEnd: boolean;
  /** True if a session takes the id of its latest version, so that the vendor can delete it by that id. */
  takesLaterId: boolean;
}

/** An arriving workout or night without its details. */
export interface ArrivingSession {
  sourceId: number;
  externalId?: string;
  startMs: number;
  endMs: number;
  offsetMinutes?: number;
  /** Position in the batch. */
  index?: number;
}

/** Storage of workouts, or of nights that vendors assembled. */
export interface SessionKind<Row extends ArrivingSession> {
  table: 'workout' | 'sleep_session';
  /** Column of the local date on which a session ends. */
  dateColumn: 'local_date' | 'wake_date';
  /** SQL for {@link SessionFacts.variant}; `variant` does the same for an arriving row. */
  variantSql: string;
  variant(row: Row): string;
  /** SQL condition that selects this type's rows. */
  ownRows: string;
  rule: IdentityRule;
  columns: EventColumn<Row & { endDate: string }>[];
}

export interface StoredSession extends SessionFacts {
  id: string;
  offsetMinutes?: number;
  endDate: string;
}

/** Selects the columns that determine a session's identity. */
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
