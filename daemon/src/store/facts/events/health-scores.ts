import type { HealthScoreRecord } from '@healthd/model';
import type { EventKind } from './vendor-events.js';

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
