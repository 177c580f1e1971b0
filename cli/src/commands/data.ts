import { Argument, type Command, Option } from 'commander';
import type { CopiesOptions, RangeOptions, TimeseriesOptions, WorkoutOptions } from '../actions/data.js';
import type { GapsOptions } from '../actions/data-state.js';
import type { EventKind } from '../actions/events.js';
import type { ExplainOptions } from '../actions/explain.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { dataFrom, optionalDataFrom, toOption } from './period.js';
import { list, positive, userOption } from './values.js';

/** `data …` */
export function addDataCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/data.js');
  const overview = () => import('../actions/data-overview.js');
  const data = program
    .command('data')
    .helpCommand(false)
    .description('Reads what is stored for a user.')
    .summary('read activity, samples, sleep, workouts, scores, gaps');
  withExamples(
    paged(data.command('activity'), '14d')
      .description('Daily activity: one row a day. Each group of figures comes from one source.')
      .summary('daily activity')
      .action(bind<[RangeOptions]>(async (cli, options) => (await actions()).activity(cli, options))),
    'healthctl data activity --user anna@example.org --from 30d',
  );
  withExamples(
    data
      .command('explain')
      .argument('<date>', 'local day: 2026-01-31, yesterday')
      .description(
        'Shows where the figures of one day come from: the sources of each metric or group, their values, and the rule that put each behind.',
      )
      .summary('where the figures of one day come from')
      .addOption(userOption())
      .addOption(
        new Option('--summary <name>', 'the summary whose figures to explain')
          .choices(['activity', 'sleep', 'recovery', 'body'])
          .default('activity'),
      )
      .addOption(
        new Option(
          '--merge <how>',
          'activity: one source a day, or each instant once (default: as the service is set)',
        ).choices(['source', 'interval']),
      )
      .action(
        bind<[string, ExplainOptions]>(async (cli, date, options) =>
          (await import('../actions/explain.js')).explain(cli, date, options),
        ),
      ),
    'healthctl data explain yesterday --user anna@example.org',
    'healthctl data explain yesterday --user anna@example.org --summary sleep',
  );
  withExamples(
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
      .option('--best', 'one source for each day and series, by the rule of summaries')
      .addHelpText('after', '\n`healthctl coverage` lists the series.\n')
      .action(bind<[TimeseriesOptions]>(async (cli, options) => (await actions()).timeseries(cli, options))),
    'healthctl data timeseries --user anna@example.org --types steps,heart_rate --resolution 1hour',
  );
  paged(data.command('sleep'), '14d')
    .description(
      'Nights and naps of all sources, newest first, with their ids. A range holds those that began in it; `healthctl data nights` goes by day of waking.',
    )
    .summary('nights and naps')
    .option('--best', 'only those that the summary of the day counts')
    .action(bind<[CopiesOptions]>(async (cli, options) => (await actions()).sleep(cli, options)));
  paged(data.command('workouts'), '14d')
    .description('Workouts of all sources, newest first.')
    .summary('workouts')
    .option('--type <text>', 'workout type or a part of its name, e.g. running')
    .option('--best', 'a workout that several sources recorded once, as the best of them has it')
    .action(bind<[WorkoutOptions]>(async (cli, options) => (await actions()).workouts(cli, options)));
  const days = () => import('../actions/data-days.js');
  paged(data.command('nights'), '14d')
    .description(
      'Sleep by day of waking: one row a day. Each group of figures comes from one source. `healthctl data sleep` shows the nights themselves and their ids, by the day on which they began.',
    )
    .summary('sleep by day')
    .action(bind<[RangeOptions]>(async (cli, options) => (await days()).nights(cli, options)));
  withExamples(
    paged(data.command('recovery'), '14d')
      .description('Resting heart rate, heart rate variability and oxygen by day of waking.')
      .summary('recovery by day')
      .action(bind<[RangeOptions]>(async (cli, options) => (await days()).recovery(cli, options))),
    'healthctl data recovery --user anna@example.org',
  );
  paged(data.command('scores'), '14d')
    .description('Scores as providers computed them, newest first.')
    .summary('scores of providers')
    .action(bind<[RangeOptions]>(async (cli, options) => (await days()).scores(cli, options)));
  paged(data.command('cycles'), '90d')
    .description('Menstrual cycles of all sources, newest first.')
    .summary('menstrual cycles')
    .action(bind<[RangeOptions]>(async (cli, options) => (await days()).cycles(cli, options)));
  addStateCommands(data, bind);
  addEventCommands(data, bind);
  data
    .command('sources')
    .description('Devices and applications that supplied data.')
    .summary('devices and applications that supplied data')
    .addOption(userOption())
    .action(bind<[{ user: string }]>(async (cli, options) => (await overview()).sources(cli, options)));
  withExamples(
    data
      .command('summary')
      .description('Counts of what is stored, by series, workout type and provider. Without dates: everything.')
      .summary('counts of what is stored')
      .addOption(userOption())
      .addOption(optionalDataFrom())
      .addOption(toOption())
      .action(
        bind<[{ user: string; from?: string; to?: string }]>(async (cli, options) =>
          (await overview()).summary(cli, options),
        ),
      ),
    'healthctl data summary --user anna@example.org -o csv',
  );
}

function addStateCommands(data: Command, bind: Bind): void {
  const actions = () => import('../actions/data-state.js');
  withExamples(
    data
      .command('body')
      .description('Weight, height, composition, resting heart rate and blood pressure as they are known now.')
      .summary('what is known of the body now')
      .addOption(userOption())
      .action(bind<[{ user: string }]>(async (cli, options) => (await actions()).body(cli, options))),
    'healthctl data body --user anna@example.org',
  );
  withExamples(
    data
      .command('gaps')
      .description('Days for which data are missing, by provider and kind of data.')
      .summary('days for which data are missing')
      .addOption(userOption())
      .addOption(optionalDataFrom())
      .addOption(toOption())
      .option('--all', 'also kinds of data of which no day is missing')
      .action(bind<[GapsOptions]>(async (cli, options) => (await actions()).gaps(cli, options))),
    'healthctl data gaps --user anna@example.org',
  );
}

function addEventCommands(data: Command, bind: Bind): void {
  const actions = () => import('../actions/events.js');
  data
    .command('workout')
    .description('Shows one workout with its parts and, as JSON, its samples.')
    .summary('one workout')
    .argument('<id>', 'id of the workout; `healthctl data workouts` shows them')
    .addOption(userOption())
    .action(
      bind<[string, { user: string }]>(async (cli, id, options) => (await actions()).showWorkout(cli, id, options)),
    );
  data
    .command('night')
    .description('Shows one night or nap with its stages and, as JSON, its samples.')
    .summary('one night or nap')
    .argument('<id>', 'id of the session; `healthctl data sleep` shows them')
    .addOption(userOption())
    .action(
      bind<[string, { user: string }]>(async (cli, id, options) => (await actions()).showNight(cli, id, options)),
    );
  data
    .command('delete')
    .description(
      'Deletes a workout with its route and all that was measured for it, a night or a cycle. It does not come back when its source sends it again.',
    )
    .summary('delete a workout, a night or a cycle')
    .addArgument(kindArgument())
    .argument('<id>', 'its id')
    .addOption(userOption())
    .option('-y, --yes', 'skip the confirmation')
    .action(
      bind<[EventKind, string, { user: string; yes?: boolean }]>(async (cli, kind, id, options) =>
        (await actions()).deleteEvent(cli, kind, id, options),
      ),
    );
  data
    .command('restore')
    .description('Lets a deleted workout, night or cycle come back, with the next file, push or sync that holds it.')
    .summary('restore a deleted workout, night or cycle')
    .addArgument(kindArgument())
    .argument('<id>', 'its id')
    .addOption(userOption())
    .action(
      bind<[EventKind, string, { user: string }]>(async (cli, kind, id, options) =>
        (await actions()).restoreEvent(cli, kind, id, options),
      ),
    );
}

function kindArgument(): Argument {
  return new Argument('<kind>', 'workout, sleep or cycle').choices(['workout', 'sleep', 'cycle'] satisfies EventKind[]);
}

function paged(command: Command, from: string): Command {
  return command
    .addOption(userOption())
    .addOption(dataFrom(from))
    .addOption(toOption())
    .option('--limit <n>', 'maximum number of rows', positive, 100)
    .option('--all', 'all rows of the range')
    .option('--cursor <text>', 'continue after an earlier page');
}
