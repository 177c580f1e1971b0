import type pg from 'pg';
import type { PriorityStore } from '../priorities/index.js';

/** What summaries are read from: what is stored, and the priorities that choose between sources. */
export interface SummarySource {
  pool: pg.Pool;
  priorities: Pick<PriorityStore, 'current'>;
}
