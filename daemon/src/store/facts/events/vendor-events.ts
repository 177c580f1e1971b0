import type { HealthScoreRecord, MenstrualCycleRecord } from '@healthd/model';
import type { WriteContext } from '../write-context.js';
import { noCounts, type WriteCounts } from '../write-result.js';
import { type EventColumn, lastOfEach, upsertEvents } from './event-store.js';

/** How one kind of event is stored. */
export interface EventKind<Row> {
  table: string;
  columns: EventColumn<Row>[];
  /** Columns that, with the user, make the identity of an event with an external id. */
  namedBy: string[];
  /** Columns that, with the user, make the identity of an event without one. */
  unnamedBy: string[];
}

export interface CycleRow extends Omit<MenstrualCycleRecord, 'kind' | 'source'> {
  sourceId: number;
}

/** Cycles by (source, external id), else (source, start). */
export const MENSTRUAL_CYCLES: EventKind<CycleRow> = {
  table: 'menstrual_cycle',
  namedBy: ['source_id', 'external_id'],
  unnamedBy: ['source_id', 'start_at'],
  columns: [
    { name: 'source_id', type: 'integer', value: ({ sourceId }) => sourceId },
    { name: 'external_id', type: 'text', value: ({ externalId }) => externalId },
    { name: 'start_at', type: 'timestamptz', value: ({ startMs }) => startMs },
    { name: 'end_at', type: 'timestamptz', value: ({ endMs }) => endMs },
    { name: 'offset_minutes', type: 'smallint', value: ({ offsetMinutes }) => offsetMinutes },
    { name: 'details', type: 'jsonb', value: ({ details }) => details },
  ],
};

export interface ScoreRow extends Omit<HealthScoreRecord, 'kind' | 'source'> {
  sourceId: number;
  provider: string;
}

/** Scores by (source, category, external id), else (source, category, instant). */
export const HEALTH_SCORES: EventKind<ScoreRow> = {
  table: 'health_score',
  namedBy: ['source_id', 'category', 'external_id'],
  unnamedBy: ['source_id', 'category', 'recorded_at'],
  columns: [
    { name: 'source_id', type: 'integer', value: ({ sourceId }) => sourceId },
    { name: 'provider', type: 'text', value: ({ provider }) => provider },
    { name: 'category', type: 'text', value: ({ category }) => category },
    { name: 'external_id', type: 'text', value: ({ externalId }) => externalId },
    { name: 'value', type: 'double precision', value: ({ value }) => value },
    { name: 'qualifier', type: 'text', value: ({ qualifier }) => qualifier },
    { name: 'recorded_at', type: 'timestamptz', value: ({ atMs }) => atMs },
    { name: 'offset_minutes', type: 'smallint', value: ({ offsetMinutes }) => offsetMinutes },
    { name: 'components', type: 'jsonb', value: ({ components }) => components },
  ],
};

/**
 * Stores events in place: a correction keeps the id. Identity is the external id where the vendor gives one, else the
 * start. Rows of one identity count once; the last wins.
 * @param keepStored events that are stored already stay as they are
 */
export async function storeVendorEvents<Row>(
  { client, userKey }: WriteContext,
  kind: EventKind<Row>,
  rows: Row[],
  keepStored: boolean,
): Promise<WriteCounts> {
  const externalId = kind.columns.find(({ name }) => name === 'external_id') as EventColumn<Row>;
  const counts = noCounts();
  for (const isNamed of [true, false]) {
    const identity = isNamed ? kind.namedBy : kind.unnamedBy;
    const chosen = rows.filter((row) => (externalId.value(row) !== undefined) === isNamed);
    const distinct = lastOfEach(chosen, (row) =>
      JSON.stringify(kind.columns.filter(({ name }) => identity.includes(name)).map(({ value }) => value(row))),
    );
    const target = `(user_key, ${identity.join(', ')}) where external_id is ${isNamed ? 'not null' : 'null'}`;
    const { inserted, updated } = await upsertEvents(
      client,
      userKey,
      { name: kind.table, columns: kind.columns, target, identity, keepStored, keepKnown: true },
      distinct,
    );
    counts.inserted += inserted.length;
    counts.updated += updated.length;
    counts.unchanged += distinct.length - inserted.length - updated.length;
  }
  return counts;
}
