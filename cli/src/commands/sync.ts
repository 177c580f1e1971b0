import { type Command, Option } from 'commander';
import type { HistoricalOptions, RunSyncOptions, SyncStatusOptions } from '../actions/sync.js';
import type { VendorWorkoutsOptions } from '../actions/vendor-workouts.js';
import type { WatchUserOptions } from '../actions/watch-user.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { addBackfillCommands } from './sync-backfill.js';
import { duration, namedUser, positive, takeUser, userOption } from './values.js';

/** `sync run|historical|backfill|watch|workouts|status` */
export function addSyncCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/sync.js');
  const sync = program
    .command('sync')
    .helpCommand(false)
    .description('Reads data of a user from the cloud of a vendor, on request.')
    .summary('read from vendors’ clouds');
  withExamples(
    takeUser(sync.command('run'))
      .description(
        'Reads what is new and follows the run to its end. Works in webhook mode too. Ends with 3 when some kinds of data failed, with 1 when all did.',
      )
      .summary('read what is new')
      .addOption(optionalProvider())
      .addOption(
        new Option('--type <type>', 'workouts, or what is measured around the clock (247)')
          .choices(['workouts', '247', 'all'])
          .default('all'),
      )
      .option(
        '--since <time>',
        'read from this day or instant on, e.g. 2026-11-01, 14d or 2026-11-01T08:00; in UTC unless it has an offset',
      )
      .option('--no-wait', 'end as soon as the run is queued')
      .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
      .action(
        bind<[string | undefined, WithoutUser<RunSyncOptions>]>(async (cli, user, options) =>
          (await actions()).runSync(cli, withUser(user, options)),
        ),
      ),
    'healthctl sync run anna@example.org --provider google',
  );
  withExamples(
    takeUser(sync.command('historical'))
      .description('Reads the past, newest days first: at most 90 days, or as many as the vendor gives.')
      .summary('read the past')
      .addOption(optionalProvider())
      .option('--days <n>', 'how many days back', positive, 90)
      .option('--no-wait', 'end as soon as the run is queued')
      .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
      .action(
        bind<[string | undefined, WithoutUser<HistoricalOptions>]>(async (cli, user, options) =>
          (await actions()).runHistorical(cli, withUser(user, options)),
        ),
      ),
    'healthctl sync historical anna@example.org --provider google --days 30',
  );
  addBackfillCommands(sync, bind, providerOption);
  withExamples(
    sync
      .command('watch')
      .description(
        'Follows everything that brings data of a user in, as it happens, and ends when nothing is under way any more. Ends with 3 when a part failed, with 1 when a run failed.',
      )
      .summary('follow all runs of a user')
      .addOption(userOption())
      .option('-f, --follow', 'go on when nothing is under way, until Ctrl-C')
      .action(
        bind<[WatchUserOptions]>(async (cli, options) =>
          (await import('../actions/watch-user.js')).watchUser(cli, options),
        ),
      ),
    'healthctl sync watch --user anna@example.org',
  );
  sync
    .command('workouts')
    .description('Asks the vendor now for its workouts and prints them in the vendor’s own form. Nothing is stored.')
    .summary('workouts in the vendor’s own form')
    .argument('[id]', 'id of one workout at the vendor')
    .addOption(userOption())
    .addOption(providerOption())
    .option('--since <date>', 'from this day or instant on, e.g. 2026-11-01 or 14d; in UTC unless it has an offset')
    .option('--limit <n>', 'so many at most', positive)
    .option('--page-token <text>', 'the page that the vendor named')
    .action(
      bind<[string | undefined, VendorWorkoutsOptions]>(async (cli, id, options) =>
        (await import('../actions/vendor-workouts.js')).vendorWorkouts(cli, id, options),
      ),
    );
  withExamples(
    sync
      .command('status')
      .description('Lists the runs of a user that read from vendors, newest first.')
      .summary('list what was read')
      .addOption(userOption())
      .option('--limit <n>', 'look at so many runs', positive, 20)
      .action(bind<[SyncStatusOptions]>(async (cli, options) => (await actions()).syncStatus(cli, options))),
    'healthctl sync status --user anna@example.org',
  );
}

type WithoutUser<O extends { user: string }> = Omit<O, 'user'> & { user?: string };

function withUser<O extends { user: string }>(argument: string | undefined, options: WithoutUser<O>): O {
  const missing = 'provider' in options ? '' : ', and --provider if the user has several connections';
  return { ...options, user: namedUser(argument, options.user, missing) } as O;
}

function optionalProvider(): Option {
  return new Option('-p, --provider <name>', 'the vendor, e.g. google; not needed if the user has one connection');
}

function providerOption(): Option {
  return new Option('-p, --provider <name>', 'the vendor, e.g. google (required)').makeOptionMandatory();
}
