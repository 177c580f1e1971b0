import type pg from 'pg';
import type { EventColumn } from './event-store.js';

/** What distinguishes one workout or vendor's night of a source from another. */
export interface SessionFacts {
  sourceId: number;
  externalId?: string;
  startMs: number;
  endMs: number;
  /** A workout's type; whether sleep is a nap. */
  variant: string;
}

/** How sessions without an id are distinguished. */
export interface IdentityRule {
  /** Whether two that begin in the same second and end in different ones are two, or versions of one. */
  differsByEnd: boolean;
  /** Whether one that comes again under another id has that from then on, so that the vendor's deletion of it counts. */
  takesLaterId: boolean;
}

/** What an arriving workout or night has, beside its details. */
export interface ArrivingSession {
  sourceId: number;
  externalId?: string;
  startMs: number;
  endMs: number;
  offsetMinutes?: number;
  /** Position in the batch. */
  index?: number;
}

/** How workouts, or the nights that vendors assembled themselves, are stored. */
export interface SessionKind<Row extends ArrivingSession> {
  table: 'workout' | 'sleep_session';
  /** Column of the local date on which a session ends. */
  dateColumn: 'local_date' | 'wake_date';
  /** SQL of {@link SessionFacts.variant}, and the same of an arriving row. */
  variantSql: string;
  variant(row: Row): string;
  /** SQL condition of the table's rows that are of this kind. */
  ownRows: string;
  rule: IdentityRule;
  columns: EventColumn<Row & { endDate: string }>[];
  /** How many parts a row lists, which are stored in it. */
  partsOf?(row: Row): number;
  /** Remembers that a push wrote the rows. */
  markPushed?(client: pg.ClientBase, userKey: number, rows: readonly (Row & { id: string })[]): Promise<void>;
}

export interface StoredSession extends SessionFacts {
  id: string;
  offsetMinutes?: number;
  endDate: string;
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
