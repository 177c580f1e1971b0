import { listRecentSyncEvents, type SyncSource, type SyncStatus } from '@healthd/contract';
import type { SyncStatusEvent } from '@healthd/schemas';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { NO_FIELDS } from '../output/fields.js';
import { eventLine } from '../service/event-line.js';
import { pastEvents, syncEvents } from '../service/event-stream.js';
import type { Bind } from './bind.js';
import { sourceOption, statusOption } from './run-filters.js';
import { positive, userId } from './values.js';

/** `logs tail` */
export function addLogsCommands(program: Command, bind: Bind): void {
  program
    .command('logs')
    .helpCommand(false)
    .description('Steps of imports, syncs and pushes, live.')
    .summary('follow the steps of runs live')
    .command('tail')
    .description(
      'Prints the last steps of runs, then each new step until you press Ctrl-C. Searches the newest 10,000 steps for matches. In a pipe, prints one JSON object per line.',
    )
    .summary('follow the steps of runs')
    .addOption(new Option('-u, --user <id>', 'only runs of this user').argParser(userId))
    .option('--provider <name>', 'only runs of this provider')
    .addOption(sourceOption('only runs of this type'))
    .addOption(statusOption('only steps with this status'))
    .option('--limit <n>', 'number of past steps to print first, up to 200', positive, 20)
    .option('--no-follow', 'exit after the past steps')
    .addHelpText(
      'after',
      '\nExamples:\n  healthctl logs tail --user anna@example.org --no-follow\n  healthctl logs tail --provider google --status failed --no-follow\n',
    )
    .action(bind(tail));
}

/** Maximum number of events that the service replays. */
const LARGEST_REPLAY = 200;

interface TailOptions {
  user?: string;
  provider?: string;
  source?: SyncSource;
  status?: SyncStatus;
  limit: number;
  follow: boolean;
}

/** `healthctl logs tail`: steps of the runs of one user or of all users. */
async function tail(cli: Cli, options: TailOptions): Promise<void> {
  cli.willWrite(NO_FIELDS);
  cli.interrupt.parting = undefined;
  for await (const step of await stepsOf(cli, options)) {
    await cli.sink.write(cli.forPeople ? eventLine(cli, step) : `${JSON.stringify(step)}\n`);
  }
}

async function stepsOf(cli: Cli, options: TailOptions): Promise<AsyncIterable<SyncStatusEvent> | SyncStatusEvent[]> {
  const client = await cli.client();
  const { user, provider, source, status } = options;
  const replay = Math.min(options.limit, LARGEST_REPLAY);
  const { signal } = cli;
  if (options.follow)
    return syncEvents(client, { user, provider, source, status, replay, signal, resume: commandOf(options) });
  if (user === undefined) return pastEvents(client, { provider, source, status, replay, signal });
  const newest = await client.call(listRecentSyncEvents, {
    params: { user_id: user },
    // Not validated here, because the service's error lists the valid providers.
    query: { limit: replay, source, status, provider: provider as 'google' | undefined },
    signal,
  });
  return newest.toReversed();
}

function commandOf({ user, provider, source, status }: TailOptions): string {
  const options = Object.entries({ user, provider, source, status }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${value}`],
  );
  return ['healthctl logs tail', ...options].join(' ');
}
