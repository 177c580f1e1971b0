import type { CsvRows } from '../../components/csv-button.js';
import { CSV_LIMIT } from '../../components/csv-button.js';
import { type RunFilter, readRuns } from '../../hooks/use-runs.js';

const COLUMNS = [
  'run_id',
  'user_id',
  'provider',
  'source',
  'stage',
  'status',
  'items_processed',
  'started_at',
  'ended_at',
  'error',
  'message',
] as const;

/** Runs as a table of text, with a heading. */
export async function runsCsv(filter: RunFilter): Promise<CsvRows> {
  const runs = await readRuns(filter, CSV_LIMIT);
  return [[...COLUMNS], ...runs.map((run) => COLUMNS.map((column) => run[column]))];
}
