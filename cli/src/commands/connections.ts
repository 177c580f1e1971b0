import { setTimeout as sleep } from 'node:timers/promises';
import {
  authorizeProvider,
  type ConnectionState,
  deleteProviderData,
  disconnectProvider,
  listAllConnections,
  listConnections as listRoute,
} from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { ConnectionResponse, ListedConnection } from '@healthd/schemas';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import type { FieldPath } from '../output/fields.js';
import { at, Instant } from '../output/instant.js';
import { writeRecord, writeRows } from '../output/writer.js';
import { showHeld } from '../service/held-data.js';
import { Pages } from '../service/pages.js';
import { providerNamed } from '../service/provider-name.js';
import { nextTryText } from '../service/retrying.js';
import { promptText } from '../ui/prompt.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { duration, positive, userId, userOption } from './values.js';

/** `connections list|connect|disconnect` */
export function addConnectionsCommands(program: Command, bind: Bind): void {
  const connections = program
    .command('connections')
    .helpCommand(false)
    .description('Connections between users and providers: consents at vendors, and phones that push data.')
    .summary('connect users to providers, list and end connections');
  withExamples(
    connections
      .command('list')
      .description(
        'Lists connections in any state, newest first: all connections of one user, or a page of all users’ connections.',
      )
      .summary('list connections of one user or of all users')
      .addOption(new Option('-u, --user <id>', 'all connections of this user').argParser(userId))
      .addOption(new Option('--provider <name>', 'only connections to this provider, e.g. google').conflicts('user'))
      .addOption(
        new Option('--state <state>', 'only connections in this state; `failing` ones are active')
          .choices(['active', 'failing', 'ended'] satisfies ConnectionState[])
          .conflicts('user'),
      )
      .option('--limit <n>', 'maximum number of connections of all users', positive, 50)
      .option('--all', 'all connections of all users')
      .action(bind(listConnections)),
    'healthctl connections list --user anna@example.org',
    'healthctl connections list --provider google --state failing',
  );
  withExamples(
    connections
      .command('connect')
      .description('Prints the consent URL, which expires after 15 minutes. Open it in the user’s browser.')
      .summary('start a connection: print the consent URL')
      .argument('<provider>', 'name of the provider, e.g. google; see `healthctl providers list`')
      .addOption(userOption())
      .option('--redirect <address>', 'URL to redirect the user to afterwards; OAUTH_REDIRECT_ALLOWLIST must allow it')
      .option('--wait [time]', 'wait for the user’s consent (default: 15m)', duration)
      .action(bind(connect)),
    'healthctl connections connect google --user anna@example.org',
  );
  connections
    .command('disconnect')
    .description(
      'Ends a connection, here and at the vendor. Keeps the data, unless you pass --delete-data and type the name of the ' +
        'provider.',
    )
    .summary('end a connection')
    .argument('<provider>', 'name of the provider')
    .addOption(userOption())
    .option('--delete-data', 'also delete all data from the provider')
    .option('--dry-run', 'change nothing, only show how much data came from the provider')
    .option('-y, --yes', 'skip the confirmation')
    .action(bind(disconnect));
}

const FIELDS = [
  'id',
  'provider',
  'status',
  'status_reason',
  'account_state',
  'time_zone',
  'provider_user_id',
  'provider_username',
  'scope',
  'missing_scopes',
  'missing_data_types',
  'last_synced_at',
  'last_error',
  'last_error_at',
  'failing_since',
  'next_try_at',
  'created_at',
  'updated_at',
  'live_sync_mode',
  'has_authorization',
  'linked_user_ids',
] as const satisfies FieldPath<ConnectionResponse>[];
const SHAPE = {
  fields: FIELDS,
  columns: [
    { header: 'Provider', cell: ({ provider }: ConnectionResponse) => provider },
    { header: 'State', cell: stateText },
    {
      header: 'Account',
      cell: ({ provider_username: name, provider_user_id: id }: ConnectionResponse) => name ?? id,
      shrinkTo: 10,
    },
    { header: 'Last synced', cell: ({ last_synced_at: synced }: ConnectionResponse) => at(synced) },
    {
      header: 'Not granted',
      cell: ({ missing_data_types: missing }: ConnectionResponse) => missing.join(', '),
      shrinkTo: 12,
    },
    { header: 'Last error', cell: errorText, shrinkTo: 12 },
  ],
};

const LISTED = {
  fields: [
    'id',
    'user_id',
    'first_name',
    'last_name',
    'email',
    'provider',
    'status',
    'status_reason',
    'account_state',
    'has_authorization',
    'last_synced_at',
    'last_error',
    'last_error_at',
    'failing_since',
    'created_at',
  ] as const satisfies FieldPath<ListedConnection>[],
  columns: [
    { header: 'User', cell: ({ user_id: id }: ListedConnection) => id, keep: true as const },
    {
      header: 'Name',
      cell: (one: ListedConnection) => [one.first_name, one.last_name].filter(Boolean).join(' ') || one.email,
      shrinkTo: 10,
    },
    { header: 'Provider', cell: ({ provider }: ListedConnection) => provider },
    { header: 'State', cell: ({ status, status_reason: reason }: ListedConnection) => reason ?? status },
    { header: 'Last synced', cell: ({ last_synced_at: synced }: ListedConnection) => at(synced) },
    { header: 'Failing since', cell: ({ failing_since: since }: ListedConnection) => at(since) },
    { header: 'Last error', cell: ({ last_error: error }: ListedConnection) => error, shrinkTo: 12 },
  ],
};
const LARGEST_PAGE = 1000;

const POLL_MS = 2_000;
const DEFAULT_WAIT_SECONDS = 900;

interface UserOfConnections {
  user: string;
}

interface ListConnectionsOptions {
  user?: string;
  provider?: string;
  state?: ConnectionState;
  limit: number;
  all?: boolean;
}

interface ConnectOptions extends UserOfConnections {
  redirect?: string;
  /** Timeout in seconds. If true, waits until the URL expires. */
  wait?: number | true;
}

interface DisconnectOptions extends UserOfConnections {
  deleteData?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

/** `healthctl connections list`: all connections of one user, or a page of all users' connections. */
async function listConnections(cli: Cli, { user, ...filter }: ListConnectionsOptions): Promise<void> {
  cli.willWrite(user === undefined ? LISTED : SHAPE);
  if (user === undefined) return listOfAll(cli, filter);
  const count = await writeRows(cli.sink, SHAPE, await connectionsOf(cli, user));
  if (count === 0)
    cli.hint(`Not connected to any provider. Connect one: healthctl connections connect google --user ${user}`);
}

async function listOfAll(cli: Cli, { provider, state, limit, all }: ListConnectionsOptions): Promise<void> {
  const client = await cli.client();
  const filter = { provider: provider === undefined ? undefined : providerNamed(provider), state };
  const pages = new Pages<ListedConnection>({ limit, all: all ?? false, maxPage: LARGEST_PAGE }, (size, cursor) =>
    client.call(listAllConnections, { query: { ...filter, limit: size, cursor }, signal: cli.signal }),
  );
  const count = await writeRows(cli.sink, LISTED, pages.rows());
  if (count === 0) cli.hint('No connections match these filters.');
  if (pages.nextCursor !== undefined) cli.hint(`Showing the newest ${count}. For more: --limit ${count * 5}, or --all`);
}

const AUTHORIZATION = {
  fields: ['authorization_url', 'state'] as const,
  pairs: ({ authorization_url: address }: { authorization_url: string; state: string }) => [
    ['Consent at', address] as const,
  ],
};

/** `healthctl connections connect` */
async function connect(cli: Cli, name: string, options: ConnectOptions): Promise<void> {
  cli.willWrite(options.wait === undefined ? AUTHORIZATION : SHAPE);
  const provider = providerNamed(name);
  const before = await connectionTo(cli, options.user, provider);
  const client = await cli.client();
  const query = { user_id: options.user, redirect_uri: options.redirect };
  const authorization = await client.call(authorizeProvider, { params: { provider }, query, signal: cli.signal });
  const { authorization_url: address } = authorization;
  if (options.wait === undefined) {
    await writeRecord(cli.sink, AUTHORIZATION, authorization);
    cli.hint(`Next: healthctl connections list --user ${options.user}`);
    return;
  }
  cli.insist(`Consent at ${address}`);
  const seconds = options.wait === true ? DEFAULT_WAIT_SECONDS : options.wait;
  const connection = await consented(cli, { user: options.user, provider, before, seconds });
  cli.say(`Connected to ${provider}.`);
  await writeRows(cli.sink, SHAPE, [connection]);
}

/** `healthctl connections disconnect` */
async function disconnect(cli: Cli, name: string, options: DisconnectOptions): Promise<void> {
  const provider = providerNamed(name);
  if (options.dryRun) return showHeld(cli, options.user, provider);
  cli.willWrite(SHAPE);
  if (options.deleteData && !options.yes) await confirm(cli, provider);
  const client = await cli.client();
  const route = options.deleteData ? deleteProviderData : disconnectProvider;
  await client.call(route, { params: { user_id: options.user, provider }, signal: cli.signal });
  cli.say(`Disconnected from ${provider}.${options.deleteData ? ' Deleted all data from it.' : ''}`);
  // The connection may be missing, because a provider's data can be deleted without a connection.
  const ended = await connectionTo(cli, options.user, provider);
  if (ended) await writeRecord(cli.sink, { fields: FIELDS }, ended);
}

interface Awaited {
  user: string;
  provider: ProviderId;
  before: ConnectionResponse | undefined;
  seconds: number;
}

/** Polls until the connection is created or renewed. @throws CliError `timed_out` */
async function consented(cli: Cli, { user, provider, before, seconds }: Awaited): Promise<ConnectionResponse> {
  const until = Date.now() + seconds * 1000;
  while (Date.now() < until) {
    await sleep(POLL_MS, undefined, { signal: cli.signal });
    const now = await connectionTo(cli, user, provider);
    const isNew = now?.has_authorization && (!before?.has_authorization || now.updated_at !== before.updated_at);
    if (now?.status === 'active' && isNew) return now;
  }
  throw new CliError('timed_out', 'Timed out waiting for consent.', {
    hint: 'Run the command again. A consent URL expires after 15 minutes.',
    exitCode: EXIT.timedOut,
  });
}

async function connectionTo(cli: Cli, user: string, provider: string): Promise<ConnectionResponse | undefined> {
  return (await connectionsOf(cli, user)).find((connection) => connection.provider === provider);
}

async function connectionsOf(cli: Cli, user: string): Promise<ConnectionResponse[]> {
  const client = await cli.client();
  return client.call(listRoute, { params: { user_id: user }, signal: cli.signal });
}

/** Formats the state and its reason. */
function stateText({ status, status_reason: reason, account_state: account }: ConnectionResponse): string {
  if (status !== 'active') return reason ? `${status} (${reason.replaceAll('_', ' ')})` : status;
  return account === 'linked' ? status : `${status} (account ${account.replaceAll('_', ' ')})`;
}

/** Formats the last error, its start and the next attempt. */
function errorText({ last_error: error, failing_since: since, next_try_at: next }: ConnectionResponse): string | null {
  if (error === null) return null;
  const facts = [since && `since ${new Instant(since).text()}`, next && `next try ${nextTryText(next)}`];
  return `${error} (${facts.filter(Boolean).join(', ')})`;
}

async function confirm(cli: Cli, provider: string): Promise<void> {
  if (cli.terminal.interactive) cli.insist(`This deletes all data from ${provider}. It cannot be undone.`);
  const typed = await promptText(cli.terminal, `Type ${provider} to delete`, 'Pass --yes to skip the confirmation.');
  if (typed.trim() === provider) return;
  throw new CliError('not_confirmed', 'The name does not match. Nothing was changed.', { exitCode: EXIT.failed });
}
