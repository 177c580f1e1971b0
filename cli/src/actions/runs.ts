import { listSyncRuns, type SyncRunSummary, type SyncStatus } from '@healthd/api';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { Outcome } from '../outcome.js';
import { renderPairs } from '../output/table.js';
import { writeRows } from '../output/writer.js';
import { exitCodeOf, reportPairs, statusText } from '../service/run-report.js';
import { numberText } from '../ui/amounts.js';
import { emitterOf, followRun } from './run-progress.js';

/** How runs are listed. */
export const RUN_SHAPE = {
  fields: [
    'run_id',
    'user_id',
    'provider',
    'source',
    'stage',
    'status',
    'message',
    'progress',
    'items_processed',
    'items_total',
    'error',
    'started_at',
    'ended_at',
    'last_update',
  ],
  columns: [
    { header: 'Run', cell: (run: SyncRunSummary) => run.run_id, shrinkTo: 12 },
    { header: 'User', cell: (run: SyncRunSummary) => run.user_id, shrinkTo: 9 },
    { header: 'Provider', cell: (run: SyncRunSummary) => run.provider },
    { header: 'Source', cell: (run: SyncRunSummary) => run.source },
    { header: 'Status', cell: statusText },
    { header: 'Records', cell: records, align: 'right' as const },
    { header: 'Updated', cell: (run: SyncRunSummary) => run.last_update.slice(0, 16).replace('T', ' ') },
    { header: 'Message', cell: (run: SyncRunSummary) => run.error ?? run.message, shrinkTo: 10 },
  ],
};

export interface ListRunsOptions {
  user?: string;
  provider?: string;
  status?: SyncStatus;
  limit: number;
}

/** `healthctl runs list` */
export async function listRuns(cli: Cli, options: ListRunsOptions): Promise<void> {
  const client = await cli.client();
  // The service knows the providers; its answer to a wrong one lists them.
  const provider = options.provider as 'apple' | undefined;
  const query = { limit: String(options.limit), user_id: options.user, provider, status: options.status };
  const runs = await client.call(listSyncRuns, { query, signal: cli.signal });
  await writeRows(cli.sink, RUN_SHAPE, runs);
  if (runs.length === 0) cli.hint('No runs. One begins with: healthctl import export.zip --user <id>');
  if (runs.length === options.limit) cli.hint(`The newest ${runs.length}. More: --limit ${runs.length * 5}`);
}

export interface WatchRunOptions {
  timeout?: number;
}

/** `healthctl runs watch` */
export async function watch(cli: Cli, runId: string, options: WatchRunOptions): Promise<void> {
  const emit = emitterOf(cli);
  const run = await followRun(cli, runId, emit, options.timeout);
  await emit({ event: 'result', ...run });
  if (cli.forPeople) await cli.sink.write(renderPairs(reportPairs(run)));
  const code = exitCodeOf(run);
  if (code !== EXIT.done) throw new Outcome(code);
}

function records(run: SyncRunSummary): string | null {
  return run.items_processed === null ? null : numberText(run.items_processed);
}
