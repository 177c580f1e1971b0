import { type Command, Option } from 'commander';
import type { BegunRunOptions, ListRunsOptions, WatchRunOptions } from '../actions/runs.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { activityFrom, toOption } from './period.js';
import { sourceOption, statusOption } from './run-filters.js';
import { duration, positive, runId, userId } from './values.js';

/** `runs list|show|watch|retry|confirm` */
export function addRunsCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/runs.js');
  const runs = program
    .command('runs')
    .helpCommand(false)
    .description('Imports, syncs and other runs that bring data in.')
    .summary('list, show, follow, retry and confirm imports and syncs');
  withExamples(
    runs
      .command('list')
      .description('Lists runs, newest first.')
      .summary('list runs')
      .addOption(new Option('-u, --user <id>', 'only runs of this user').argParser(userId))
      .option('--provider <name>', 'only runs of this provider, e.g. apple')
      .addOption(statusOption('only runs in this state'))
      .addOption(sourceOption('only runs whose data came in this way'))
      .addOption(activityFrom())
      .addOption(toOption())
      .addOption(new Option('--before <run_id>', 'only runs that come after this one in the list').argParser(runId))
      .option('--retrying', 'only runs that wait for another attempt')
      .option('--unresolved', 'only failures of the last 24 hours that no later run has fixed')
      .option('--limit <n>', 'maximum number of runs', positive, 20)
      .option('--all', 'all runs, up to 10,000')
      .action(bind<[ListRunsOptions]>(async (cli, options) => (await actions()).listRuns(cli, options))),
    'healthctl runs list --user anna@example.org',
    'healthctl runs list --unresolved',
    'healthctl runs list --source backfill --status failed --from 7d',
  );
  runs
    .command('show')
    .description('Shows the state of a run: its items, and each kind of data that it read.')
    .summary('show one run with its report')
    .argument('<run_id>', 'id of the run or its beginning, e.g. xml_3f0c', runId)
    .action(bind<[string]>(async (cli, runId) => (await actions()).show(cli, runId)));
  runs
    .command('watch')
    .description('Follows a run until it has ended. Ends with 3 when some items were rejected, with 1 when it failed.')
    .summary('follow a run until it has ended')
    .argument('<run_id>', 'id of the run or its beginning, e.g. xml_3f0c', runId)
    .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
    .action(
      bind<[string, WatchRunOptions]>(async (cli, runId, options) => (await actions()).watch(cli, runId, options)),
    );
  runs
    .command('retry')
    .description(
      'Repeats a run that failed or stored only a part, and follows the run that does. Ends as `runs watch` does.',
    )
    .summary('repeat a run that failed or stored only a part')
    .argument('<run_id>', 'id of the run or its beginning, e.g. xml_3f0c', runId)
    .option('--no-wait', 'do not wait for the end')
    .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
    .action(
      bind<[string, BegunRunOptions]>(async (cli, runId, options) => (await actions()).retry(cli, runId, options)),
    );
  runs
    .command('confirm')
    .description(
      'Imports the file of a dry run, in the mode that it was tried in and without another upload, and follows the import to its end. The service keeps the file for an hour. It refuses when another file was imported since, because the result of the dry run may be different then.',
    )
    .summary('import the file of a dry run')
    .argument('<run_id>', 'id of the dry run or its beginning, e.g. xml_3f0c', runId)
    .option('--no-wait', 'do not wait for the end')
    .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
    .action(
      bind<[string, BegunRunOptions]>(async (cli, runId, options) => (await actions()).confirm(cli, runId, options)),
    );
}
