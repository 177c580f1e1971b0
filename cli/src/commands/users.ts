import { randomBytes } from 'node:crypto';
import { access, open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import {
  type ConsentEnd,
  createUser as createRoute,
  deleteUser as deleteRoute,
  exportSnapshot as snapshotRoute,
  exportUser as exportRoute,
  getErasure,
  getUser,
  listUsers as listRoute,
  type UserConnectionState,
  type UserSortColumn,
  updateUser as updateRoute,
} from '@healthd/contract';
import type { Erasure, UpdatedUserResponse, UserResponse } from '@healthd/schemas';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError, failureOf } from '../failure.js';
import type { FieldPath } from '../output/fields.js';
import { at } from '../output/instant.js';
import { plainText } from '../output/text-width.js';
import { RowWriter, writeRecord } from '../output/writer.js';
import { showHeld } from '../service/held-data.js';
import { providerNamed } from '../service/provider-name.js';
import { bytesText, countText, numberText } from '../ui/amounts.js';
import { promptText } from '../ui/prompt.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { positive, userId } from './values.js';

/** `users create|list|show|update|export|snapshot|delete|erasure` */
export function addUsersCommands(program: Command, bind: Bind): void {
  const users = program
    .command('users')
    .helpCommand(false)
    .description('Users whose data is stored.')
    .summary('create, list, show, update, export and delete users');
  withExamples(
    users
      .command('create')
      .description('Creates a user. Every field is optional. Two calls with the same email create two users.')
      .summary('create a user')
      .option('--email <address>', 'email of the user')
      .option('--first-name <name>', 'first name')
      .option('--last-name <name>', 'last name')
      .option('--external-id <id>', 'id of the user in your own system (deprecated)')
      .option('--time-zone <name>', 'time zone for data without an offset, e.g. Europe/Warsaw')
      .action(bind(createUser)),
    'healthctl users create --email anna@example.org --first-name Anna',
  );
  withExamples(
    users
      .command('list')
      .description('Lists users, newest first.')
      .summary('list users')
      .option('--search <text>', 'words in any order: parts of the email, a name, the external id, or the id’s prefix')
      .option('--email <address>', 'exactly this email')
      .option('--provider <name>', 'only users with a connection to this provider, e.g. google')
      .addOption(
        new Option(
          '--connection <state>',
          'only users with a connection in this state (none: users without a connection)',
        ).choices(['active', 'failing', 'ended', 'none'] satisfies UserConnectionState[]),
      )
      .addOption(
        new Option('--sort <field>', 'order by this field')
          .choices(['created_at', 'email', 'first_name', 'last_name', 'last_synced_at'] satisfies UserSortColumn[])
          .default('created_at'),
      )
      .addOption(new Option('--order <direction>', 'direction of the order').choices(['asc', 'desc']).default('desc'))
      .option('--limit <n>', 'maximum number of users', positive, 50)
      .option('--all', 'all users')
      .action(bind(listUsers)),
    'healthctl users list --search anna',
    'healthctl users list --provider google --connection failing',
    "healthctl users list --all --jq '.[].id'",
  );
  withExamples(
    users
      .command('show')
      .description('Shows one user.')
      .summary('show one user')
      .argument('<id>', 'the user’s id, start of the id, email or external id', userId)
      .action(bind(showUser)),
    'healthctl users show anna@example.org',
  );
  withExamples(
    users
      .command('update')
      .description(
        'Updates a user. A new time zone moves items without an offset to other days: the command shows how many days change and asks first. Requires a developer login.',
      )
      .summary('update a user')
      .argument('<id>', 'the user’s id, start of the id, email or external id', userId)
      .option('--email <address>', 'email of the user')
      .option('--first-name <name>', 'first name')
      .option('--last-name <name>', 'last name')
      .option('--external-id <id>', 'id of the user in your own system (deprecated)')
      .addOption(
        new Option('--time-zone <name>', 'time zone for data without an offset, e.g. Europe/Warsaw').conflicts(
          'clearTimeZone',
        ),
      )
      .option('--clear-time-zone', 'remove the user’s time zone; a connection’s time zone applies')
      .option('--dry-run', 'change nothing, only show how many days would change')
      .option('-y, --yes', 'skip the confirmation')
      .action(bind(updateUser)),
    'healthctl users update anna@example.org --time-zone Europe/Berlin --dry-run',
  );
  withExamples(
    users
      .command('export')
      .description(
        'Saves all data of a user as a zip archive of JSON lines; its README.txt explains the format. Requires a developer login.',
      )
      .summary('save all data of a user')
      .argument('<id>', 'the user’s id, start of the id, email or external id', userId)
      .option('--out <file>', 'file to write, which must not exist (default: healthd-<id>.zip)')
      .action(bind(exportUser)),
    'healthctl users export anna@example.org --out anna.zip',
  );
  withExamples(
    users
      .command('snapshot')
      .description(
        'Saves a snapshot of a user’s data as JSON lines, which `healthctl verify --copy` compares with the service later. Fails if the service runs with FEED=off.',
      )
      .summary('save a snapshot to verify later')
      .argument('<id>', 'the user’s id, start of the id, email or external id', userId)
      .option('--out <file>', 'file to write, which must not exist (default: healthd-<id>.ndjson)')
      .action(bind(saveSnapshot)),
    'healthctl users snapshot anna@example.org --out anna.ndjson',
  );
  users
    .command('delete')
    .description('Deletes a user with all their data, and shows how much was deleted. Asks you to type the name first.')
    .summary('delete a user and all their data')
    .argument('<id>', 'the user’s id, start of the id, email or external id', userId)
    .option('--dry-run', 'delete nothing, only show how much data is stored')
    .option('-y, --yes', 'skip the confirmation')
    .action(bind(deleteUser));
  users
    .command('erasure')
    .description(
      'Shows an erasure receipt: how much was erased, and whether each consent at a vendor was ended. The receipt does not identify the user. Requires a developer login.',
    )
    .summary('show an erasure receipt')
    .argument('<erasure>', 'id of the erasure, from `users delete`')
    .action(bind(showErasure));
}

const LARGEST_PAGE = 100;
const FIELDS = [
  'id',
  'email',
  'first_name',
  'last_name',
  'external_user_id',
  'time_zone',
  'created_at',
  'last_synced_at',
  'last_synced_provider',
  'has_active_connection',
] as const satisfies FieldPath<UserResponse>[];

const SHAPE = {
  fields: FIELDS,
  columns: [
    { header: 'ID', cell: (user: UserResponse) => user.id, keep: true as const },
    { header: 'Name', cell: fullName, shrinkTo: 8 },
    { header: 'Email', cell: (user: UserResponse) => user.email, shrinkTo: 12 },
    { header: 'Created', cell: (user: UserResponse) => at(user.created_at) },
    { header: 'Last synced', cell: (user: UserResponse) => at(user.last_synced_at) },
  ],
  pairs: (user: UserResponse) =>
    [
      ['ID', user.id],
      ['Name', fullName(user)],
      ['Email', user.email],
      ['External id', user.external_user_id],
      ['Time zone', user.time_zone],
      ['Created', at(user.created_at)],
      ['Last synced', at(user.last_synced_at)],
      ['Last provider', user.last_synced_provider],
    ] as const,
};

const UPDATED = {
  fields: [...FIELDS, 'moved_days'] as const,
  pairs: (user: UpdatedUserResponse) => [
    ...SHAPE.pairs(user),
    ['Days that change', user.moved_days && String(user.moved_days.count)] as const,
  ],
};

interface CreateUserOptions {
  email?: string;
  firstName?: string;
  lastName?: string;
  externalId?: string;
  timeZone?: string;
}

/** `healthctl users create` */
async function createUser(cli: Cli, options: CreateUserOptions): Promise<void> {
  cli.willWrite(SHAPE);
  const client = await cli.client();
  const user = await client.call(createRoute, {
    body: {
      email: options.email,
      first_name: options.firstName,
      last_name: options.lastName,
      external_user_id: options.externalId,
      time_zone: options.timeZone,
    },
    signal: cli.signal,
  });
  await writeRecord(cli.sink, SHAPE, user);
  cli.hint(`Created. Next: healthctl import export.zip --user ${user.id}`);
}

interface ListUsersOptions {
  search?: string;
  email?: string;
  provider?: string;
  connection?: UserConnectionState;
  sort: UserSortColumn;
  order: 'asc' | 'desc';
  limit: number;
  all?: boolean;
}

/** `healthctl users list` */
async function listUsers(cli: Cli, options: ListUsersOptions): Promise<void> {
  const writer = new RowWriter(cli.sink, SHAPE);
  const client = await cli.client();
  const maxItems = options.all ? Number.POSITIVE_INFINITY : options.limit;
  const pageSize = Math.min(maxItems, LARGEST_PAGE);
  let total = 0;
  for (let page = 1; writer.count < maxItems; page += 1) {
    const query = {
      page,
      limit: pageSize,
      sort_by: options.sort,
      sort_order: options.order,
      search: options.search,
      email: options.email,
      provider: options.provider && providerNamed(options.provider),
      connection: options.connection,
    };
    const response = await client.call(listRoute, { query, signal: cli.signal });
    total = response.total;
    for (const user of response.items.slice(0, maxItems - writer.count)) await writer.write(user);
    if (!response.has_next) break;
  }
  await writer.end();
  if (writer.count < total) cli.say(`Showing ${writer.count} of ${countText(total, 'user')}. For all: --all`);
  const narrowed = options.search ?? options.email ?? options.provider ?? options.connection;
  if (total === 0 && narrowed) cli.hint('No users match these filters.');
  else if (total === 0) cli.hint('No users. Create one: healthctl users create --email anna@example.org');
}

/** `healthctl users show` */
async function showUser(cli: Cli, id: string): Promise<void> {
  cli.willWrite(SHAPE);
  const client = await cli.client();
  await writeRecord(cli.sink, SHAPE, await client.call(getUser, { params: { user_id: id }, signal: cli.signal }));
  cli.hint(`Stored data: healthctl data summary --user ${id}`);
}

interface UpdateUserOptions extends CreateUserOptions {
  clearTimeZone?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

/** `healthctl users update` */
async function updateUser(cli: Cli, id: string, options: UpdateUserOptions): Promise<void> {
  cli.willWrite(UPDATED);
  const zone = options.clearTimeZone ? null : options.timeZone;
  const body = {
    email: options.email,
    first_name: options.firstName,
    last_name: options.lastName,
    external_user_id: options.externalId,
    time_zone: zone,
  };
  const client = await cli.client();
  const change = (dryRun: boolean) =>
    client.call(updateRoute, {
      params: { user_id: id },
      query: { dry_run: dryRun },
      body,
      signal: cli.signal,
    });
  const tried = options.dryRun || (zone !== undefined && !options.yes) ? await change(true) : undefined;
  const moved = tried?.moved_days;
  if (moved) {
    const span = moved.count > 0 ? `, from ${moved.first_date} to ${moved.last_date}` : '';
    cli.say(`${countText(moved.count, 'day')} would gain or lose data that has no UTC offset${span}.`);
  }
  if (tried && options.dryRun) {
    await writeRecord(cli.sink, UPDATED, tried);
    return;
  }
  if (moved && moved.count > 0) await confirmMove(cli);
  await writeRecord(cli.sink, UPDATED, await change(false));
}

async function confirmMove(cli: Cli): Promise<void> {
  const typed = await promptText(cli.terminal, 'Type yes to continue', 'Pass --yes to skip the confirmation.');
  if (typed.trim().toLowerCase() === 'yes') return;
  throw new CliError('not_confirmed', 'Nothing was changed.', { exitCode: EXIT.failed });
}

const DELETED = { fields: [...FIELDS, 'erasure_id', 'erasure'] as const };

interface DeleteUserOptions {
  dryRun?: boolean;
  yes?: boolean;
}

/** `healthctl users delete` */
async function deleteUser(cli: Cli, id: string, options: DeleteUserOptions): Promise<void> {
  if (options.dryRun) return showHeld(cli, id);
  cli.willWrite(DELETED);
  const client = await cli.client();
  if (!options.yes) await confirm(cli, await client.call(getUser, { params: { user_id: id }, signal: cli.signal }));
  const user = await client.call(deleteRoute, { params: { user_id: id }, signal: cli.signal });
  cli.say(`Deleted ${plainText(labelOf(user))} with all their data.`);
  // The user is deleted, so an unreadable receipt must not fail the command.
  const erasure = await readErasure(cli, user.erasure_id).catch((error: unknown) => {
    cli.warn(`Cannot read the erasure receipt: ${failureOf(error).message}`);
    cli.hint(`Show it later: healthctl users erasure ${user.erasure_id}`);
    return null;
  });
  const pairs = () => (erasure ? erasurePairs(erasure) : [['Erasure', user.erasure_id] as const]);
  await writeRecord(cli.sink, { ...DELETED, pairs }, { ...user, erasure });
}

async function confirm(cli: Cli, user: UserResponse): Promise<void> {
  const label = plainText(labelOf(user));
  if (cli.terminal.interactive)
    cli.insist(`This deletes ${label} (${user.id}) with all health data. It cannot be undone.`);
  const typed = await promptText(cli.terminal, `Type ${label} to delete`, 'Pass --yes to skip the confirmation.');
  if (typed.trim() === label || typed.trim() === user.id) return;
  throw new CliError('not_confirmed', 'The name does not match. Nothing was deleted.', { exitCode: EXIT.failed });
}

/** Returns the display name of the user. */
function labelOf(user: UserResponse): string {
  return fullName(user) || user.email || user.id;
}

function fullName(user: UserResponse): string {
  return [user.first_name, user.last_name].filter(Boolean).join(' ');
}

interface ExportUserOptions {
  out?: string;
}

const SAVED = { fields: ['user_id', 'file', 'bytes'] as const };

/** `healthctl users export` */
async function exportUser(cli: Cli, id: string, options: ExportUserOptions): Promise<void> {
  cli.willWrite(SAVED);
  const file = resolve(options.out ?? `healthd-${id}.zip`);
  await rejectExisting(file);
  const client = await cli.client();
  const response = await client.send(exportRoute, { params: { user_id: id }, signal: cli.signal });
  const bytes = await save(response, file);
  cli.say(`Saved ${bytesText(bytes)} to ${file}. The file contains health data: keep it safe.`);
  await writeRecord(cli.sink, SAVED, { user_id: id, file, bytes });
}

/** `healthctl users snapshot` */
async function saveSnapshot(cli: Cli, id: string, options: ExportUserOptions): Promise<void> {
  cli.willWrite(SAVED);
  const file = resolve(options.out ?? `healthd-${id}.ndjson`);
  await rejectExisting(file);
  const client = await cli.client();
  const response = await client.send(snapshotRoute, { params: { user_id: id }, query: {}, signal: cli.signal });
  const bytes = await save(response, file);
  cli.say(`Saved ${bytesText(bytes)} to ${file}. The file contains health data: keep it safe.`);
  await writeRecord(cli.sink, SAVED, { user_id: id, file, bytes });
  cli.hint(`Compare it with the service: healthctl verify --copy ${file}`);
}

/**
 * Saves a download and returns its size in bytes. The file gets its final name only when the download is complete. Only
 * the file's owner can read the file.
 */
async function save(response: Response, file: string): Promise<number> {
  const draft = `${file}.${randomBytes(4).toString('hex')}.part`;
  const handle = await open(draft, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const chunk of Readable.fromWeb(response.body as never) as AsyncIterable<Uint8Array>) {
      await handle.appendFile(chunk);
      bytes += chunk.length;
    }
    await handle.sync();
    await rejectExisting(file);
    await rename(draft, file);
    return bytes;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // fetch throws a TypeError when the connection breaks during the download.
    throw new CliError('export_cut_off', 'The download was interrupted. Nothing was saved.', {
      hint: 'Run the command again. If it fails again, see the service log.',
      cause: error,
    });
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
}

async function rejectExisting(file: string): Promise<void> {
  const there = await access(file).then(
    () => true,
    () => false,
  );
  if (there) throw new CliError('file_exists', `${file} already exists.`, { hint: 'Pass another file with --out.' });
}

const CONSENT_WORDS: Readonly<Record<ConsentEnd, string>> = {
  returned: 'ended',
  kept: 'not ended: another user may share the consent',
  failed: 'not confirmed by the vendor: the user can end the consent in their vendor account',
  not_possible: 'cannot be ended by the service: the user can end the consent in their vendor account',
  ended_before: 'the connection had already ended: the user can end any remaining consent in their vendor account',
  none: 'there was no consent',
};

const ERASURE = {
  fields: ['id', 'erased_at', 'erased', 'connections', 'ledger_hash'] as const,
  pairs: erasurePairs,
};

/** `healthctl users erasure` */
async function showErasure(cli: Cli, id: string): Promise<void> {
  cli.willWrite(ERASURE);
  const receipt = await readErasure(cli, id);
  await writeRecord(cli.sink, ERASURE, receipt);
}

/** Loads an erasure receipt. */
async function readErasure(cli: Cli, id: string): Promise<Erasure> {
  const client = await cli.client();
  return client.call(getErasure, { params: { erasure_id: id }, signal: cli.signal });
}

/** Formats a receipt. */
function erasurePairs({ id, erased_at, erased, connections, ledger_hash }: Erasure) {
  return [
    ['Erasure', id],
    ['Erased at', at(erased_at)],
    ['Samples', numberText(erased.samples)],
    ['Days with samples', numberText(erased.days)],
    ['Workouts', numberText(erased.workouts)],
    ['Nights and naps', numberText(erased.sleep_sessions)],
    ['Menstrual cycles', numberText(erased.menstrual_cycles)],
    ['Scores', numberText(erased.health_scores)],
    ['Sources', numberText(erased.data_sources)],
    ['Runs', numberText(erased.runs)],
    ['Files', numberText(erased.files)],
    ['Device batches', numberText(erased.batches)],
    ...connections.map(({ provider, consent }) => [`Consent at ${provider}`, CONSENT_WORDS[consent]] as const),
    ['Ledger hash', ledger_hash],
  ] as const;
}
