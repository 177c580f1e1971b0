import { type Command, Option } from 'commander';
import type { RangeOptions, TimeseriesOptions, WorkoutOptions } from '../actions/data.js';
import type { ExplainOptions } from '../actions/explain.js';
import type { Bind } from './bind.js';
import { list, positive, userOption } from './values.js';

/** `data activity|explain|timeseries|sleep|workouts|sources|summary` */
export function addDataCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/data.js');
  const overview = () => import('../actions/data-overview.js');
  const data = program
    .command('data')
    .helpCommand(false)
    .description('Reads what is stored for a user.')
    .summary('read activity, samples, sleep, workouts, sources');
  paged(data.command('activity'), '14d')
    .description('Daily activity: one row a day, from the best source of each metric.')
    .summary('daily activity')
    .action(bind<[RangeOptions]>(async (cli, options) => (await actions()).activity(cli, options)));
  data
    .command('explain')
    .argument('<date>', 'local day: 2026-01-31, yesterday')
    .description(
      'Where the activity of one day comes from: the sources of each metric, what each contributed, and why.',
    )
    .summary('where the activity of one day comes from')
    .addOption(userOption())
    .addOption(
      new Option('--merge <how>', 'one source a day, or each instant once (default: as the service is set)').choices([
        'source',
        'interval',
      ]),
    )
    .action(
      bind<[string, ExplainOptions]>(async (cli, date, options) =>
        (await import('../actions/explain.js')).explain(cli, date, options),
      ),
    );
  paged(data.command('timeseries'), '7d')
    .description('Samples of one or more series, all sources side by side, oldest first.')
    .summary('samples of one or more series')
    .addOption(
      new Option('-t, --types <names>', 'series, e.g. steps,heart_rate (required)')
        .argParser(list)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--resolution <size>', 'one value per bucket and source')
        .choices(['raw', '1min', '5min', '15min', '1hour'])
        .default('raw'),
    )
    .addHelpText('after', '\n`healthctl coverage` lists the series.\n')
    .action(bind<[TimeseriesOptions]>(async (cli, options) => (await actions()).timeseries(cli, options)));
  paged(data.command('sleep'), '14d')
    .description('Nights and naps of all sources, newest first.')
    .summary('nights and naps')
    .action(bind<[RangeOptions]>(async (cli, options) => (await actions()).sleep(cli, options)));
  paged(data.command('workouts'), '14d')
    .description('Workouts of all sources, newest first.')
    .summary('workouts')
    .option('--type <text>', 'workout type or a part of its name, e.g. running')
    .action(bind<[WorkoutOptions]>(async (cli, options) => (await actions()).workouts(cli, options)));
  data
    .command('sources')
    .description('Devices and applications that supplied data.')
    .summary('devices and applications that supplied data')
    .addOption(userOption())
    .action(bind<[{ user: string }]>(async (cli, options) => (await overview()).sources(cli, options)));
  data
    .command('summary')
    .description('Counts of what is stored, by series, workout type and provider. Without dates: everything.')
    .summary('counts of what is stored')
    .addOption(userOption())
    .option('--from <date>', 'first day, e.g. 2026-01-01 or 14d')
    .option('--to <date>', 'last day, included')
    .action(
      bind<[{ user: string; from?: string; to?: string }]>(async (cli, options) =>
        (await overview()).summary(cli, options),
      ),
    );
}

function paged(command: Command, from: string): Command {
  return command
    .addOption(userOption())
    .option('--from <date>', 'first day: 2026-01-31, yesterday, 14d (days back), 2w; or an instant', from)
    .option('--to <date>', 'last day, included; or an instant, not included (default: today)')
    .option('--limit <n>', 'maximum number of rows', positive, 100)
    .option('--all', 'all rows of the range')
    .option('--cursor <text>', 'continue after an earlier page');
}
