import type { HealthScoreRecord, MenstrualCycleRecord } from '@healthd/model';
import type { ItemTable } from '../changes.js';
import type { EventColumn } from './event-columns.js';

/** Storage of one event type. */
export interface EventKind<Row> {
  table: ItemTable;
  columns: EventColumn<Row>[];
  /** Columns that identify a user's event that has an external id. */
  namedBy: string[];
  /** Columns that identify a user's event that has no external id. */
  unnamedBy: string[];
}

/** A menstrual cycle of a batch. */
export interface CycleRow extends Omit<MenstrualCycleRecord, 'kind' | 'source'> {
  sourceId: number;
}

/** Menstrual cycles, identified by (source, external id), otherwise by (source, start). */
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

/** A score of a batch. */
export interface ScoreRow extends Omit<HealthScoreRecord, 'kind' | 'source'> {
  sourceId: number;
  provider: string;
}

/** Scores, identified by (source, category, external id), otherwise by (source, category, instant). */
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
