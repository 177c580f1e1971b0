import type { MenstrualCycleRecord } from '@healthd/model';
import type { EventKind } from './vendor-events.js';

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
