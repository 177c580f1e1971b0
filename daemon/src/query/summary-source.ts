import type pg from 'pg';
import type { PriorityStore } from '../priorities/index.js';

/** Inputs of summaries: the database, and the priorities that select sources. */
export interface SummarySource {
  pool: pg.Pool;
  priorities: Pick<PriorityStore, 'current'>;
}
