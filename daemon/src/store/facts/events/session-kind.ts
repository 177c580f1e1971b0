import type { Rejected } from '@healthd/model';
import type pg from 'pg';
import type { WriteCounts } from '../item-counts.js';
import type { SourceSpan } from '../sleep/source-span.js';
import type { ChangedIds, DisplacedSession } from '../write-result.js';
import type { EventColumn } from './event-store.js';
import type { IdentityRule, SessionFacts } from './session-identity.js';

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

export interface StoredSessions {
  counts: WriteCounts;
  ids: ChangedIds;
  /** Where the changed sessions lie now. */
  changed: SourceSpan[];
  /** Local dates on which the changed sessions ended before, and end now. */
  endDates: Set<string>;
  /** Where sessions were that a correction moved. */
  moved: DisplacedSession[];
  /** Sessions of a second that has as many as there may be. */
  rejected: Rejected[];
}

/** How arriving sessions meet those that are stored. */
export interface SessionOptions {
  /** Sessions that are stored already stay as they are. */
  keepStored: boolean;
  /** Sessions give only what is not stored yet; those that are not stored are left out. */
  completes?: boolean;
  /** A push wrote them. */
  isPushed?: boolean;
  /** Ids of sessions that a replaced window gives with another end. */
  corrected: ReadonlySet<string>;
}
