import {
  getVendorWorkout,
  listConnections,
  listUserSyncRuns,
  listVendorWorkouts,
  requestHistoricalSync,
  requestProviderSync,
} from '@healthd/contract';
import type { SyncRunSummary, SyncStatusEvent } from '@healthd/schemas';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { Outcome } from '../outcome.js';
import { NO_FIELDS } from '../output/fields.js';
import { writeRows } from '../output/writer.js';
import { toYaml } from '../output/yaml.js';
import { sinceSeconds } from '../service/dates.js';
import { eventLine } from '../service/event-line.js';
import { syncEvents } from '../service/event-stream.js';
import { providerNamed } from '../service/provider-name.js';
import { emitterOf, followRequested } from '../service/run-progress.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { RUN_SHAPE } from './runs.js';
import { addBackfillCommands } from './sync-backfill.js';
import { duration, namedUser, positive, takeUser, userOption } from './values.js';

/** `sync run|historical|backfill|watch|workouts|status` */
export function addSyncCommands(program: Command, bind: Bind): void {
  const sync = program
    .command('sync')
    .helpCommand(false)
    .description('Syncs a user’s data from a vendor’s cloud on request.')
    .summary('sync from vendors’ clouds');
  withExamples(
    takeUser(sync.command('run'))
      .description(
        'Syncs new data and follows the run until it ends. Also works in webhook mode. Exits with 3 if some data types failed, and with 1 if all failed.',
      )
      .summary('sync new data')
      .addOption(optionalProvider())
      .addOption(
        new Option('--type <type>', 'workouts, or 247 for data measured around the clock')
          .choices(['workouts', '247', 'all'])
          .default('all'),
      )
      .option(
        '--since <time>',
        'sync from this day or instant, e.g. 2026-11-01, 14d or 2026-11-01T08:00; UTC if it has no offset',
      )
      .option('--no-wait', 'exit as soon as the run is queued')
      .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
      .action(
        bind<[string | undefined, WithoutUser<RunSyncOptions>]>(async (cli, user, options) =>
          runSync(cli, withUser(user, options)),
        ),
      ),
    'healthctl sync run anna@example.org --provider google',
  );
  withExamples(
    takeUser(sync.command('historical'))
      .description('Syncs history, newest days first: at most 90 days, or as many as the vendor provides.')
      .summary('sync history')
      .addOption(optionalProvider())
      .option('--days <n>', 'number of days to go back', positive, 90)
      .option('--no-wait', 'exit as soon as the run is queued')
      .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
      .action(
        bind<[string | undefined, WithoutUser<HistoricalOptions>]>(async (cli, user, options) =>
          runHistorical(cli, withUser(user, options)),
        ),
      ),
    'healthctl sync historical anna@example.org --provider google --days 30',
  );
  addBackfillCommands(sync, bind, providerOption);
  withExamples(
    sync
      .command('watch')
      .description(
        'Follows all runs of a user until none is in progress. Exits with 3 if a run was partial, and with 1 if a run failed.',
      )
      .summary('follow all runs of a user')
      .addOption(userOption())
      .option('-f, --follow', 'keep following until Ctrl-C')
      .action(bind(watchUser)),
    'healthctl sync watch --user anna@example.org',
  );
  sync
    .command('workouts')
    .description('Requests workouts from the vendor and prints them in the vendor’s format. Stores nothing.')
    .summary('show workouts in the vendor’s format')
    .argument('[id]', 'id of one workout at the vendor')
    .addOption(userOption())
    .addOption(providerOption())
    .option('--since <date>', 'from this day or instant, e.g. 2026-11-01 or 14d; UTC if it has no offset')
    .option('--limit <n>', 'maximum number of workouts', positive)
    .option('--page-token <text>', 'page token from the vendor’s response')
    .action(bind(vendorWorkouts));
  withExamples(
    sync
      .command('status')
      .description('Lists a user’s syncs from vendors, newest first.')
      .summary('list syncs')
      .addOption(userOption())
      .option('--limit <n>', 'number of runs to search', positive, 20)
      .action(bind(syncStatus)),
    'healthctl sync status --user anna@example.org',
  );
}

type WithoutUser<O extends { user: string }> = Omit<O, 'user'> & { user?: string };

function withUser<O extends { user: string }>(argument: string | undefined, options: WithoutUser<O>): O {
  const missing = 'provider' in options ? '' : ', and --provider if the user has several connections';
  return { ...options, user: namedUser(argument, options.user, missing) } as O;
}

function optionalProvider(): Option {
  return new Option('-p, --provider <name>', 'the vendor, e.g. google; not needed if the user has one connection');
}

function providerOption(): Option {
  return new Option('-p, --provider <name>', 'the vendor, e.g. google (required)').makeOptionMandatory();
}

interface WaitOptions {
  user: string;
  provider?: string;
  wait: boolean;
  timeout?: number;
}

interface RunSyncOptions extends WaitOptions {
  type: 'workouts' | '247' | 'all';
  since?: string;
}

interface HistoricalOptions extends WaitOptions {
  days: number;
}

interface SyncStatusOptions {
  user: string;
  limit: number;
}

/** `healthctl sync run` */
async function runSync(cli: Cli, options: RunSyncOptions): Promise<void> {
  const client = await cli.client();
  const since = options.since === undefined ? undefined : sinceSeconds(options.since);
  const requested = await client.call(requestProviderSync, {
    params: { user_id: options.user, provider: await providerOf(cli, options) },
    query: { data_type: options.type, since },
    signal: cli.signal,
  });
  await followRequested(cli, requested, { ...options, label: 'Syncing' });
}

/** `healthctl sync historical` */
async function runHistorical(cli: Cli, options: HistoricalOptions): Promise<void> {
  const client = await cli.client();
  const requested = await client.call(requestHistoricalSync, {
    params: { user_id: options.user, provider: await providerOf(cli, options) },
    query: { days: options.days },
    signal: cli.signal,
  });
  if (requested.days === undefined) cli.hint(`${requested.message}. Follow it with: healthctl sync status`);
  else if (requested.days < options.days)
    cli.hint(`The service requests ${requested.days} days from the vendor, which is the maximum.`);
  await followRequested(cli, requested, { ...options, label: 'Syncing history' });
}

/**
 * Returns the provider to sync: the named provider, or the provider of the user's only cloud connection.
 * @throws CliError `usage` if the user has several cloud connections, `not_found` without a connection
 */
async function providerOf(cli: Cli, { user, provider }: WaitOptions): Promise<'google'> {
  // Not validated here, because the service's error lists the providers that it can sync.
  if (provider !== undefined) return provider as 'google';
  cli.willWrite(NO_FIELDS);
  const client = await cli.client();
  const connections = await client.call(listConnections, { params: { user_id: user }, signal: cli.signal });
  const readable = connections.filter((one) => one.has_authorization && one.status === 'active');
  const names = readable.map((one) => one.provider).sort();
  const [only, another] = names;
  if (only !== undefined && another === undefined) return only as 'google';
  if (only === undefined) {
    throw new CliError('not_found', 'The user has no connection to a vendor’s cloud.', {
      hint: `Create a connect link for the user: healthctl connect-links create --user ${user}`,
    });
  }
  throw new CliError('usage', `The user has ${names.length} connections. Select one with --provider.`, {
    hint: `Pass --provider with one of: ${names.join(', ')}`,
    exitCode: EXIT.usage,
  });
}

/** `healthctl sync status` */
async function syncStatus(cli: Cli, { user, limit }: SyncStatusOptions): Promise<void> {
  cli.willWrite(RUN_SHAPE);
  const client = await cli.client();
  const query = { limit };
  const runs = await client.call(listUserSyncRuns, { params: { user_id: user }, query, signal: cli.signal });
  const read = runs.filter(({ source }) => source !== 'sdk' && source !== 'xml_import');
  await writeRows(cli.sink, RUN_SHAPE, read);
  if (read.length === 0) cli.hint('No syncs yet. Start one: healthctl sync run <user>');
}

interface VendorWorkoutsOptions {
  user: string;
  provider: string;
  since?: string;
  limit?: number;
  pageToken?: string;
}

/** `healthctl sync workouts`: prints the vendor's workouts in its format. */
async function vendorWorkouts(cli: Cli, id: string | undefined, options: VendorWorkoutsOptions): Promise<void> {
  cli.willWrite(NO_FIELDS);
  const params = { user_id: options.user, provider: providerNamed(options.provider) };
  const client = await cli.client();
  const { signal } = cli;
  if (id !== undefined) {
    return print(cli, await client.call(getVendorWorkout, { params: { ...params, workout_id: id }, signal }));
  }
  const since = options.since === undefined ? undefined : sinceSeconds(options.since);
  const query = { since, limit: options.limit, page_token: options.pageToken };
  await print(cli, await client.call(listVendorWorkouts, { params, query, signal }));
}

async function print(cli: Cli, response: unknown): Promise<void> {
  const isLine = cli.sink.format === 'ndjson';
  await cli.sink.write(
    cli.sink.format === 'yaml' ? toYaml(response) : `${JSON.stringify(response, null, isLine ? 0 : 2)}\n`,
  );
}

/** Number of newest runs to check. Older runs have ended. */
const MAX_RUNS = 200;

type State = Pick<SyncRunSummary, 'run_id' | 'provider' | 'status'>;

interface WatchUserOptions {
  user: string;
  /** True to keep following when no run is in progress. */
  follow?: boolean;
}

/**
 * `healthctl sync watch`: prints the steps of a user's runs until no run is in progress.
 * @throws Outcome if a run did not succeed
 */
export async function watchUser(cli: Cli, { user, follow }: WatchUserOptions): Promise<void> {
  const emit = emitterOf(cli);
  const client = await cli.client();
  const left = new AbortController();
  const signal = AbortSignal.any([cli.signal, left.signal]);
  const runs = new Map<string, State>();
  let steps = 0;
  /** Number of the latest step of each run. A response that was requested before that step is outdated. */
  const lastSteps = new Map<string, number>();
  const resume = `healthctl sync watch --user ${user}`;
  cli.interrupt.parting = `The runs continue in the service. Keep watching: ${resume}`;
  const isQuiet = () => !follow && [...runs.values()].every(({ status }) => status !== 'in_progress');
  // Runs are read after the stream is open, so that no step is missed in between.
  const poll = async () => {
    const stepsAtRequest = steps;
    const known = await client.call(listUserSyncRuns, {
      params: { user_id: user },
      query: { limit: MAX_RUNS },
      signal,
    });
    for (const run of known) {
      const isOlder = (lastSteps.get(run.run_id) ?? 0) > stepsAtRequest;
      if (!isOlder && (run.status === 'in_progress' || runs.has(run.run_id))) runs.set(run.run_id, run);
    }
    if (isQuiet()) left.abort();
  };
  let looking: Promise<void> | undefined;
  const onOpen = () => {
    looking = poll().catch((error: unknown) => left.abort(error));
  };
  try {
    for await (const event of syncEvents(client, { user, replay: 0, signal, resume, onOpen })) {
      runs.set(event.run_id, event);
      lastSteps.set(event.run_id, ++steps);
      await emit({ ...event, event: 'progress' });
      await printStep(cli, event);
      await looking;
      if (isQuiet()) break;
    }
  } catch (error) {
    if (cli.signal.aborted || !left.signal.aborted) throw error;
    if (left.signal.reason instanceof Error && left.signal.reason.name !== 'AbortError') throw left.signal.reason;
  } finally {
    left.abort();
  }
  cli.interrupt.parting = undefined;
  const states = [...runs.values()].map(({ run_id, provider, status }) => ({ run_id, provider, status }));
  await emit({ event: 'result', user_id: user, runs: states });
  if (states.length === 0) cli.hint(`No runs are in progress. Sync new data: healthctl sync run ${user}`);
  if (states.some(({ status }) => status === 'failed' || status === 'cancelled')) throw new Outcome(EXIT.failed);
  if (states.some(({ status }) => status === 'partial')) throw new Outcome(EXIT.partial);
}

async function printStep(cli: Cli, event: SyncStatusEvent): Promise<void> {
  if (cli.forPeople) await cli.sink.write(eventLine(cli, event));
}
