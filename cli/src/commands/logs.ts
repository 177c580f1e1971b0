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
    .description('What imports, syncs and pushes do, as it happens.')
    .summary('see what runs do, as it happens')
    .command('tail')
    .description(
      'Prints the last steps of runs, then each new one as it happens, until Ctrl-C: of all users, or of one. Steps that pass the filters are looked for among the newest 10,000. In a pipe one JSON object a line.',
    )
    .summary('follow what runs do')
    .addOption(new Option('-u, --user <id>', 'only runs of this user').argParser(userId))
    .option('--provider <name>', 'only runs of this provider')
    .addOption(sourceOption('only runs of this kind'))
    .addOption(statusOption('only steps in this state'))
    .option('--limit <n>', 'how many steps of the past first, up to 200', positive, 20)
    .option('--no-follow', 'end after those of the past')
    .addHelpText(
      'after',
      '\nExamples:\n  healthctl logs tail --user anna@example.org --no-follow\n  healthctl logs tail --provider google --status failed --no-follow\n',
    )
    .action(bind(tail));
}

/** The service gives no more of the past. */
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
    // The service knows the providers; its answer to a wrong one lists them.
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
