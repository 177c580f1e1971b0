import { type HealthdClient, UnreachableError } from '@healthd/client';
import { type ChangesApi, endOfFeed, follow } from '@healthd/client/feed';
import { listChanges, listUserChanges } from '@healthd/contract';
import type { Change } from '@healthd/schemas';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { NO_FIELDS } from '../output/fields.js';
import { at, Instant } from '../output/instant.js';
import { plainText } from '../output/text-width.js';
import { type Shape, writeRows } from '../output/writer.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { list, positive, userId } from './values.js';

/** `changes` */
export function addChangesCommand(program: Command, bind: Bind): void {
  withExamples(
    program
      .command('changes')
      .description(
        'Lists the changes of stored data, oldest first: what changed, on which local days, and why. Fails if the service runs with FEED=off. ' +
          'With --follow, prints each new change until you press Ctrl-C; in a pipe as one JSON object per line.',
      )
      .summary('list or follow changes of stored data')
      .addOption(new Option('-u, --user <id>', 'only changes of this user').argParser(userId))
      .addOption(
        new Option('--kinds <list>', 'only these kinds, separated by commas, e.g. samples,sleep').argParser(list),
      )
      .option('--cursor <cursor>', 'continue after this cursor of an earlier call')
      .option('--limit <n>', 'maximum number of changes', positive, 100)
      .option('--all', 'all stored changes')
      .option('--follow', 'print new changes as they happen')
      .action(bind(changes)),
    'healthctl changes --user anna@example.org',
    'healthctl changes --kinds sleep,workout --all',
  );
}

interface ChangesOptions {
  user?: string;
  kinds?: string[];
  cursor?: string;
  limit: number;
  all?: boolean;
  follow?: boolean;
}

const SHAPE = {
  fields: [
    'position',
    'user_id',
    'at',
    'kind',
    'action',
    'cause',
    'type',
    'summary',
    'days',
    'ids',
    'origin',
    'run_id',
  ],
  columns: [
    { header: 'Time', cell: (change: Change) => at(change.at) },
    { header: 'Action', cell: ({ action }: Change) => action },
    { header: 'Data', cell: subjectOf },
    { header: 'Days', cell: daysText, shrinkTo: 10 },
    { header: 'Cause', cell: causeText },
    { header: 'User', cell: (change: Change) => change.user_id },
  ],
} satisfies Shape<Change>;

const LARGEST_PAGE = 1_000;

/** `healthctl changes` */
async function changes(cli: Cli, options: ChangesOptions): Promise<void> {
  if (options.follow) return followChanges(cli, options);
  cli.willWrite(SHAPE);
  const client = await cli.client();
  const end: { cursor?: string; hasMore: boolean } = { hasMore: false };
  const count = await writeRows(cli.sink, SHAPE, storedChanges(client, options, cli.signal, end));
  if (count === 0) cli.hint('No changes.');
  if (end.hasMore) cli.hint(`More: ${commandOf({ ...options, cursor: end.cursor })}`);
}

/** Yields stored changes. Writes the position after the last page to `end`. */
async function* storedChanges(
  client: HealthdClient,
  { user, kinds, cursor, limit, all }: ChangesOptions,
  signal: AbortSignal,
  end: { cursor?: string; hasMore: boolean },
): AsyncGenerator<Change> {
  let left = all ? Number.POSITIVE_INFINITY : limit;
  end.cursor = cursor;
  do {
    const query = { kinds: kinds?.join(','), limit: Math.min(left, LARGEST_PAGE) };
    const page =
      user === undefined
        ? await client.call(listChanges, { query: { ...query, cursor: end.cursor }, signal })
        : await client.call(listUserChanges, {
            params: { user_id: user },
            query: { ...query, after: end.cursor },
            signal,
          });
    yield* page.items;
    left -= page.items.length;
    end.cursor = page.cursor;
    end.hasMore = page.has_more;
  } while (end.hasMore && left > 0);
}

/** `healthctl changes --follow`: new changes, or all changes after --cursor. */
async function followChanges(cli: Cli, options: ChangesOptions): Promise<void> {
  cli.willWrite(NO_FIELDS);
  const client = await cli.client();
  const { signal } = cli;
  const api: ChangesApi = { listChanges: (input) => client.call(listChanges, input) };
  let cursor = options.cursor ?? (await endOfFeed(api, signal));
  await follow(api, {
    cursors: {
      load: async () => cursor,
      save: async (next) => {
        cursor = next;
      },
    },
    ...(options.user !== undefined && { userId: options.user }),
    ...(options.kinds && { kinds: options.kinds as Change['kind'][] }),
    signal,
    onChanges: async (items) => {
      for (const change of items)
        await cli.sink.write(cli.forPeople ? changeLine(cli, change) : `${JSON.stringify(change)}\n`);
    },
    onRetry: (error) => {
      if (error instanceof UnreachableError) cli.debug(`${error.message}; retrying.`);
    },
  });
  cli.interrupt.parting = `Continue: ${commandOf({ ...options, cursor })}`;
  if (!cli.forPeople) await cli.sink.write(`${JSON.stringify({ event: 'result', cursor })}\n`);
  signal.throwIfAborted();
}

function changeLine(cli: Cli, change: Change): string {
  const time = new Instant(change.at).text(cli.options.utc);
  const parts = [
    time,
    change.user_id ?? '–',
    `${change.action} ${subjectOf(change)}`,
    daysText(change),
    causeText(change),
  ];
  return `${plainText(parts.filter((part) => part !== '').join('  '))}\n`;
}

/** Returns the series type, the summary, or the kind with the number of items. */
function subjectOf({ kind, type, summary, ids }: Change): string {
  if (type !== undefined) return type;
  if (summary !== undefined) return `${summary} summary`;
  return ids === undefined || ids.length < 2 ? kind : `${ids.length} ${kind}`;
}

function daysText({ days = [] }: Change): string {
  return days.map(({ from, to }) => (from === to ? from : `${from}–${to}`)).join(', ');
}

/** Formats `vendor, pull`: the reason of a deletion, and how the data arrived. */
function causeText({ cause, origin }: Change): string {
  return [cause, origin].filter((text) => text !== undefined).join(', ');
}

function commandOf({ user, kinds, cursor, follow: isFollowing }: Omit<ChangesOptions, 'limit'>): string {
  const options = [
    ...(isFollowing ? ['--follow'] : []),
    ...(user === undefined ? [] : [`--user ${user}`]),
    ...(kinds === undefined ? [] : [`--kinds ${kinds.join(',')}`]),
    ...(cursor === undefined ? [] : [`--cursor ${cursor}`]),
  ];
  return ['healthctl changes', ...options].join(' ');
}
