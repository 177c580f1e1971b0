import {
  confirmImportRun,
  getSyncRun,
  listConnections,
  listSyncRuns,
  retrySyncRun,
  type SyncSource,
  type SyncStatus,
} from '@healthd/contract';
import { PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import type { SyncRun, SyncRunSummary } from '@healthd/schemas';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { at } from '../output/instant.js';
import { type RecordShape, type Shape, writeRecord, writeRows } from '../output/writer.js';
import { optionalBounds } from '../service/dates.js';
import { followRequested, followToEnd, showReport } from '../service/run-progress.js';
import { statusText } from '../service/run-report.js';
import { numberText } from '../ui/amounts.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { activityFrom, toOption } from './period.js';
import { sourceOption, statusOption } from './run-filters.js';
import { duration, positive, runId, userId } from './values.js';
import { newLinkCommand } from './why.js';

/** `runs list|show|watch|retry|confirm` */
export function addRunsCommands(program: Command, bind: Bind): void {
  const runs = program
    .command('runs')
    .helpCommand(false)
    .description('Runs: imports, syncs and pushes.')
    .summary('list, show, follow, retry and confirm imports and syncs');
  withExamples(
    runs
      .command('list')
      .description('Lists runs, newest first.')
      .summary('list runs')
      .addOption(new Option('-u, --user <id>', 'only runs of this user').argParser(userId))
      .option('--provider <name>', 'only runs of this provider, e.g. apple')
      .addOption(statusOption('only runs with this status'))
      .addOption(sourceOption('only runs of this source'))
      .addOption(activityFrom())
      .addOption(toOption())
      .addOption(new Option('--before <run_id>', 'only runs older than this run, for the next page').argParser(runId))
      .option('--retrying', 'only runs that wait for a retry')
      .option('--unresolved', 'only failures of the last 24 hours without a later success')
      .option('--limit <n>', 'maximum number of runs', positive, 20)
      .option('--all', 'all runs, up to 10,000')
      .action(bind(listRuns)),
    'healthctl runs list --user anna@example.org',
    'healthctl runs list --unresolved',
    'healthctl runs list --source backfill --status failed --from 7d',
  );
  runs
    .command('show')
    .description('Shows the status of a run: its items and the result of each data type.')
    .summary('show one run with its report')
    .argument('<run_id>', 'id of the run or its prefix, e.g. xml_3f0c', runId)
    .action(bind(show));
  runs
    .command('watch')
    .description('Follows a run until it ends. Exits with 3 if some items were rejected, and with 1 if the run failed.')
    .summary('follow a run until it ends')
    .argument('<run_id>', 'id of the run or its prefix, e.g. xml_3f0c', runId)
    .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
    .action(bind(watch));
  runs
    .command('retry')
    .description('Retries a failed or partial run, and follows the new run. Exits like `runs watch`.')
    .summary('retry a failed or partial run')
    .argument('<run_id>', 'id of the run or its prefix, e.g. xml_3f0c', runId)
    .option('--no-wait', 'exit without waiting for the end')
    .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
    .action(bind(retry));
  runs
    .command('confirm')
    .description(
      'Imports the file of a dry run in the same mode, without another upload, and follows the import until it ends. The service keeps the file for an hour. It rejects the import if another file was imported since the dry run, because the result may differ.',
    )
    .summary('import the file of a dry run')
    .argument('<run_id>', 'id of the dry run or its prefix, e.g. xml_3f0c', runId)
    .option('--no-wait', 'exit without waiting for the end')
    .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
    .action(bind(confirm));
}

const READ_AT_VENDORS: ReadonlySet<SyncSource> = new Set(['pull', 'webhook', 'backfill']);
/** Maximum number of runs that the route returns. */
const MOST_RUNS = 10_000;

/** Layout of listed runs. */
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
    'retrying.reason',
    'retrying.attempt',
    'retrying.max_attempts',
    'retrying.next_try_at',
    'started_at',
    'ended_at',
    'last_update',
  ],
  columns: [
    { header: 'Run', cell: (run: SyncRunSummary) => run.run_id, keep: true as const },
    { header: 'Provider', cell: (run: SyncRunSummary) => run.provider },
    { header: 'Status', cell: statusText },
    { header: 'Updated', cell: (run: SyncRunSummary) => at(run.last_update) },
    { header: 'Items', cell: items, align: 'right' as const },
    { header: 'Source', cell: (run: SyncRunSummary) => run.source },
    { header: 'Message', cell: (run: SyncRunSummary) => run.error ?? run.message, shrinkTo: 10 },
    { header: 'User', cell: (run: SyncRunSummary) => run.user_id },
  ],
} satisfies Shape<SyncRunSummary>;

/** Layout of all users' runs on a terminal. Shows only the first part of the user's id, which commands accept. */
const OF_ALL_USERS: Shape<SyncRunSummary> = {
  fields: RUN_SHAPE.fields,
  columns: RUN_SHAPE.columns
    .filter(({ header }) => header !== 'User')
    .toSpliced(1, 0, { header: 'User', cell: (run: SyncRunSummary) => run.user_id.slice(0, 8) }),
};

interface ListRunsOptions {
  user?: string;
  provider?: string;
  status?: SyncStatus;
  source?: SyncSource;
  from?: string;
  to?: string;
  before?: string;
  retrying?: true;
  unresolved?: true;
  limit: number;
  all?: boolean;
}

/** `healthctl runs list` */
async function listRuns(cli: Cli, options: ListRunsOptions): Promise<void> {
  cli.willWrite(RUN_SHAPE);
  const client = await cli.client();
  // Not validated here, because the service's error lists the valid providers.
  const provider = options.provider as 'apple' | undefined;
  const limit = options.all ? MOST_RUNS : options.limit;
  const query = {
    limit,
    user_id: options.user,
    provider,
    status: options.status,
    source: options.source,
    before: options.before,
    ...optionalBounds(options, cli.options),
    ...(options.retrying && { retrying: true }),
    ...(options.unresolved && { unresolved: true }),
  };
  const runs = await client.call(listSyncRuns, { query, signal: cli.signal });
  const isOfAll = options.user === undefined && cli.sink.width !== undefined;
  await writeRows(cli.sink, isOfAll ? OF_ALL_USERS : RUN_SHAPE, runs);
  const narrowed =
    options.retrying ?? options.unresolved ?? options.status ?? options.source ?? options.from ?? options.to;
  if (runs.length === 0 && narrowed) cli.hint('No runs match these filters.');
  else if (runs.length === 0) cli.hint('No runs. Start one: healthctl import export.zip --user <id>');
  if (runs.length === limit)
    cli.hint(`Showing the newest ${runs.length}. For more: --limit ${runs.length * 5}, or --all`);
}

const WITH_METADATA: RecordShape<SyncRun> = { fields: [...RUN_SHAPE.fields, 'metadata'] };

/** `healthctl runs show` */
async function show(cli: Cli, runId: string): Promise<void> {
  cli.willWrite(WITH_METADATA);
  const client = await cli.client();
  const run = await client.call(getSyncRun, { params: { run_id: runId }, signal: cli.signal });
  if (!cli.forPeople) return writeRecord(cli.sink, WITH_METADATA, run);
  await showReport(cli, run, [
    ['User', run.user_id],
    ['Provider', providerText(run.provider)],
    ['Started', at(run.started_at)],
    ['Ended', at(run.ended_at)],
  ]);
  if (run.status === 'failed' || run.status === 'partial') cli.hint(await remedyOf(cli, run));
}

/** Returns the command that continues after a failed run: a new connect link for an inactive connection, or a retry. */
async function remedyOf(cli: Cli, { run_id, user_id, provider, source }: SyncRun): Promise<string> {
  const retry = `Retry it: healthctl runs retry ${run_id}`;
  if (!READ_AT_VENDORS.has(source)) return retry;
  const client = await cli.client();
  const connections = await client.call(listConnections, { params: { user_id }, signal: cli.signal });
  const connection = connections.find((one) => one.provider === provider);
  return connection === undefined || connection.status === 'active' ? retry : newLinkCommand(user_id, provider);
}

/** Formats a provider as `Google Health (google)`. */
function providerText(provider: string): string {
  const name = PROVIDER_NAMES[provider as ProviderId];
  return name === undefined ? provider : `${name} (${provider})`;
}

interface WatchRunOptions {
  timeout?: number;
}

/** `healthctl runs watch` */
async function watch(cli: Cli, runId: string, options: WatchRunOptions): Promise<void> {
  await followToEnd(cli, runId, options.timeout);
}

/** Options of a command that starts a run. */
interface StartedRunOptions {
  wait: boolean;
  timeout?: number;
}

/** `healthctl runs retry` */
async function retry(cli: Cli, runId: string, { wait, timeout }: StartedRunOptions): Promise<void> {
  const client = await cli.client();
  const { run_id, message } = await client.call(retrySyncRun, { params: { run_id: runId }, signal: cli.signal });
  await followRequested(cli, { run_id, message }, { wait, timeout, label: 'Retrying' });
}

/** `healthctl runs confirm` */
async function confirm(cli: Cli, runId: string, { wait, timeout }: StartedRunOptions): Promise<void> {
  const client = await cli.client();
  const { run_id, message } = await client.call(confirmImportRun, { params: { run_id: runId }, signal: cli.signal });
  await followRequested(cli, { run_id, message }, { wait, timeout, label: 'Importing' });
}

function items(run: SyncRunSummary): string | null {
  return run.items_processed === null ? null : numberText(run.items_processed);
}
