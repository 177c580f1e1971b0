import {
  createUser as createRoute,
  deleteUser as deleteRoute,
  getUser,
  listUsers as listRoute,
  type UserConnectionState,
  type UserSortColumn,
  updateUser as updateRoute,
} from '@healthd/contract';
import type { UpdatedUserResponse, UserResponse } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError, failureOf } from '../failure.js';
import type { FieldPath } from '../output/fields.js';
import { at } from '../output/instant.js';
import { plainText } from '../output/text-width.js';
import { RowWriter, writeRecord } from '../output/writer.js';
import { countText } from '../ui/amounts.js';
import { askText } from '../ui/prompt.js';
import { erasurePairs, readErasure } from './erasures.js';
import { showHeld } from './held-data.js';
import { providerNamed } from './providers.js';

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
    ['Days that move', user.moved_days && String(user.moved_days.count)] as const,
  ],
};

export interface CreateUserOptions {
  email?: string;
  firstName?: string;
  lastName?: string;
  externalId?: string;
  timeZone?: string;
}

/** `healthctl users create` */
export async function createUser(cli: Cli, options: CreateUserOptions): Promise<void> {
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

export interface ListUsersOptions {
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
export async function listUsers(cli: Cli, options: ListUsersOptions): Promise<void> {
  const writer = new RowWriter(cli.sink, SHAPE);
  const client = await cli.client();
  const wanted = options.all ? Number.POSITIVE_INFINITY : options.limit;
  const pageSize = Math.min(wanted, LARGEST_PAGE);
  let total = 0;
  for (let page = 1; writer.count < wanted; page += 1) {
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
    const answer = await client.call(listRoute, { query, signal: cli.signal });
    total = answer.total;
    for (const user of answer.items.slice(0, wanted - writer.count)) await writer.write(user);
    if (!answer.has_next) break;
  }
  await writer.end();
  if (writer.count < total) cli.say(`${writer.count} of ${countText(total, 'user')}. All of them: --all`);
  const narrowed = options.search ?? options.email ?? options.provider ?? options.connection;
  if (total === 0 && narrowed) cli.hint('No user is like that.');
  else if (total === 0) cli.hint('No users. Create one: healthctl users create --email anna@example.org');
}

/** `healthctl users show` */
export async function showUser(cli: Cli, id: string): Promise<void> {
  cli.willWrite(SHAPE);
  const client = await cli.client();
  await writeRecord(cli.sink, SHAPE, await client.call(getUser, { params: { user_id: id }, signal: cli.signal }));
  cli.hint(`What is stored: healthctl data summary --user ${id}`);
}

export interface UpdateUserOptions extends CreateUserOptions {
  clearTimeZone?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

/** `healthctl users update` */
export async function updateUser(cli: Cli, id: string, options: UpdateUserOptions): Promise<void> {
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
    cli.say(`${countText(moved.count, 'day')} would gain or lose data that came without an offset${span}.`);
  }
  if (tried && options.dryRun) {
    await writeRecord(cli.sink, UPDATED, tried);
    return;
  }
  if (moved && moved.count > 0) await confirmMove(cli);
  await writeRecord(cli.sink, UPDATED, await change(false));
}

async function confirmMove(cli: Cli): Promise<void> {
  const typed = await askText(cli.terminal, 'Type yes to move them', 'Say --yes to move them without being asked.');
  if (typed.trim().toLowerCase() === 'yes') return;
  throw new CliError('not_confirmed', 'Nothing was changed.', { exitCode: EXIT.failed });
}

const DELETED = { fields: [...FIELDS, 'erasure_id', 'erasure'] as const };

export interface DeleteUserOptions {
  dryRun?: boolean;
  yes?: boolean;
}

/** `healthctl users delete` */
export async function deleteUser(cli: Cli, id: string, options: DeleteUserOptions): Promise<void> {
  if (options.dryRun) return showHeld(cli, id);
  cli.willWrite(DELETED);
  const client = await cli.client();
  if (!options.yes) await confirm(cli, await client.call(getUser, { params: { user_id: id }, signal: cli.signal }));
  const user = await client.call(deleteRoute, { params: { user_id: id }, signal: cli.signal });
  cli.say(`Deleted ${plainText(labelOf(user))} and everything held about them.`);
  // It is done already: a receipt that cannot be read now makes no failure of it.
  const erasure = await readErasure(cli, user.erasure_id).catch((error: unknown) => {
    cli.warn(`The receipt could not be read: ${failureOf(error).message}`);
    cli.hint(`Read it later: healthctl users erasure ${user.erasure_id}`);
    return null;
  });
  const pairs = () => (erasure ? erasurePairs(erasure) : [['Erasure', user.erasure_id] as const]);
  await writeRecord(cli.sink, { ...DELETED, pairs }, { ...user, erasure });
}

async function confirm(cli: Cli, user: UserResponse): Promise<void> {
  const label = plainText(labelOf(user));
  if (cli.terminal.interactive)
    cli.insist(`This deletes ${label} (${user.id}) with all health data. It cannot be undone.`);
  const typed = await askText(cli.terminal, `Type ${label} to delete`, 'Say --yes to delete without being asked.');
  if (typed.trim() === label || typed.trim() === user.id) return;
  throw new CliError('not_confirmed', 'That is another name. Nothing was deleted.', { exitCode: EXIT.failed });
}

/** What a person calls the user by. */
function labelOf(user: UserResponse): string {
  return fullName(user) || user.email || user.id;
}

function fullName(user: UserResponse): string {
  return [user.first_name, user.last_name].filter(Boolean).join(' ');
}
