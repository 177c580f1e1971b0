import { listTrouble, listTroubledUsers } from '@healthd/contract';
import { MS_PER_DAY } from '@healthd/model';
import type { DiagnosisCause, TroubledUsers, TroubleGroup } from '@healthd/schemas';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import type { FieldPath } from '../output/fields.js';
import { at } from '../output/instant.js';
import { RowWriter, writeRows } from '../output/writer.js';
import { providerNamed } from '../service/provider-name.js';
import { countText } from '../ui/amounts.js';
import type { Bind } from './bind.js';
import { positive } from './values.js';

/** `trouble list|users` */
export function addTroubleCommands(program: Command, bind: Bind): void {
  const trouble = program
    .command('trouble')
    .helpCommand(false)
    .description('Connection problems of all users, grouped by cause.')
    .summary('list connection problems of all users by cause');
  trouble
    .command('list')
    .description('Lists each cause with its number of users and start times, most severe first.')
    .summary('list causes')
    .action(bind(listGroups));
  trouble
    .command('users')
    .description('Lists the users affected by one cause at one provider.')
    .summary('list the users affected by a cause')
    .argument('<cause>', 'cause from `healthctl trouble list`, e.g. consent_ended')
    .requiredOption('--provider <name>', 'name of the provider (required)')
    .option('--limit <n>', 'maximum number of users', positive, 100)
    .option('--all', 'all users')
    .action(bind(listGroupUsers));
}

/** Maximum page size of the route. */
const LARGEST_PAGE = 1000;

type TroubledUser = TroubledUsers['items'][number];

const GROUPS = {
  fields: [
    'provider',
    'provider_name',
    'cause',
    'severity',
    'remedy',
    'connections',
    'first_since',
    'last_since',
    'details',
    'trend',
  ] as const satisfies FieldPath<TroubleGroup>[],
  columns: [
    { header: 'Cause', cell: ({ cause }: TroubleGroup) => cause },
    { header: 'Provider', cell: ({ provider }: TroubleGroup) => provider },
    { header: 'Users', cell: ({ connections }: TroubleGroup) => String(connections) },
    { header: 'Yesterday', cell: (group: TroubleGroup) => dayAgo(group) },
    { header: 'First since', cell: (group: TroubleGroup) => at(group.first_since) },
    { header: 'Last since', cell: (group: TroubleGroup) => at(group.last_since) },
    { header: 'Details', cell: ({ details }: TroubleGroup) => details.join('; '), shrinkTo: 12 },
  ],
};

const USERS = {
  fields: [
    'user_id',
    'first_name',
    'last_name',
    'email',
    'since',
    'last_synced_at',
  ] as const satisfies FieldPath<TroubledUser>[],
  columns: [
    { header: 'User', cell: (user: TroubledUser) => user.user_id, keep: true as const },
    { header: 'Name', cell: (user: TroubledUser) => [user.first_name, user.last_name].filter(Boolean).join(' ') },
    { header: 'Since', cell: (user: TroubledUser) => at(user.since) },
    { header: 'Last synced', cell: (user: TroubledUser) => at(user.last_synced_at) },
  ],
};

/** Returns the number of affected users a day ago. Empty if not recorded. */
function dayAgo({ trend }: TroubleGroup): string {
  const before = Date.now() - MS_PER_DAY;
  const point = trend.findLast((one) => Date.parse(one.at) <= before);
  return point === undefined ? '' : String(point.connections);
}

/** `healthctl trouble list`: lists causes with their numbers of users. */
async function listGroups(cli: Cli): Promise<void> {
  cli.willWrite(GROUPS);
  const client = await cli.client();
  const { working, groups } = await client.call(listTrouble, { signal: cli.signal });
  await writeRows(cli.sink, GROUPS, groups);
  cli.say(`${working} connections work.`);
  const [first] = groups;
  if (first) cli.hint(`Affected users: healthctl trouble users ${first.cause} --provider ${first.provider}`);
}

interface TroubledUsersOptions {
  provider: string;
  limit: number;
  all?: boolean;
}

/** `healthctl trouble users`: lists the users affected by one cause. */
async function listGroupUsers(
  cli: Cli,
  cause: DiagnosisCause,
  { provider, limit, all = false }: TroubledUsersOptions,
): Promise<void> {
  const writer = new RowWriter(cli.sink, USERS);
  const client = await cli.client();
  const maxItems = all ? Number.POSITIVE_INFINITY : limit;
  // Sorts by creation, because the order of failures changes between pages and could skip a user.
  const query = { cause, provider: providerNamed(provider), sort_by: all ? 'created_at' : 'latest' } as const;
  let first: TroubledUser | undefined;
  let total = 0;
  let after: string | undefined;
  do {
    const page = { ...query, after, limit: Math.min(maxItems - writer.count, LARGEST_PAGE) };
    const response = await client.call(listTroubledUsers, { query: page, signal: cli.signal });
    for (const user of response.items) await writer.write(user);
    first ??= response.items[0];
    total = response.total;
    after = response.next_cursor ?? undefined;
  } while (after !== undefined && writer.count < maxItems);
  await writer.end();
  if (total > writer.count) cli.say(`Showing ${writer.count} of ${countText(total, 'user')}. For all: --all`);
  if (first) cli.hint(`Details: healthctl why ${first.user_id}`);
}
