import { type Command, Option } from 'commander';
import type { ListRunsOptions, WatchRunOptions } from '../actions/runs.js';
import type { Bind } from './bind.js';
import { duration, positive, userId } from './values.js';

/** `runs list|watch` */
export function addRunsCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/runs.js');
  const runs = program
    .command('runs')
    .helpCommand(false)
    .description('Imports, syncs and other runs that bring data in.')
    .summary('list and follow imports and syncs');
  runs
    .command('list')
    .description('Lists runs, the newest first.')
    .summary('list runs')
    .addOption(new Option('-u, --user <id>', 'only runs of this user').argParser(userId))
    .option('--provider <name>', 'only runs of this provider, e.g. apple')
    .addOption(
      new Option('--status <status>', 'only runs in this state').choices([
        'in_progress',
        'success',
        'partial',
        'failed',
        'cancelled',
        'skipped',
      ]),
    )
    .option('--limit <n>', 'at most so many runs', positive, 20)
    .action(bind<[ListRunsOptions]>(async (cli, options) => (await actions()).listRuns(cli, options)));
  runs
    .command('watch')
    .description(
      'Follows a run until it has ended. Ends with 3 when some records were rejected, with 1 when it failed.',
    )
    .summary('follow a run until it has ended')
    .argument('<run_id>', 'id of the run, e.g. xml_3f0c…')
    .option('--timeout <time>', 'wait at most this long, e.g. 15m', duration)
    .action(
      bind<[string, WatchRunOptions]>(async (cli, runId, options) => (await actions()).watch(cli, runId, options)),
    );
}
