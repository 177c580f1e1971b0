import { type Command, Option } from 'commander';
import type { HistoricalOptions, RunSyncOptions, SyncStatusOptions } from '../actions/sync.js';
import type { Bind } from './bind.js';
import { duration, positive, userOption } from './values.js';

/** `sync run|historical|status` */
export function addSyncCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/sync.js');
  const sync = program
    .command('sync')
    .helpCommand(false)
    .description('Reads data of a user from the cloud of a vendor, on request.')
    .summary('read from vendors’ clouds');
  sync
    .command('run')
    .description(
      'Reads what is new and follows the run to its end. Works in webhook mode too. Ends with 3 when some kinds of data failed, with 1 when all did.',
    )
    .summary('read what is new')
    .addOption(userOption())
    .addOption(providerOption())
    .addOption(
      new Option('--type <type>', 'only this half of the data').choices(['workouts', '247', 'all']).default('all'),
    )
    .option('--since <time>', 'read from this time, e.g. 2026-11-01 or 2026-11-01T08:00:00Z')
    .option('--no-wait', 'end as soon as the run is queued')
    .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
    .action(bind<[RunSyncOptions]>(async (cli, options) => (await actions()).runSync(cli, options)));
  sync
    .command('historical')
    .description('Reads the past, newest days first: at most 90 days, or as many as the vendor gives.')
    .summary('read the past')
    .addOption(userOption())
    .addOption(providerOption())
    .option('--days <n>', 'how many days back', positive, 90)
    .option('--no-wait', 'end as soon as the run is queued')
    .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
    .action(bind<[HistoricalOptions]>(async (cli, options) => (await actions()).runHistorical(cli, options)));
  sync
    .command('status')
    .description('Lists the runs of a user that read from vendors, newest first.')
    .summary('list what was read')
    .addOption(userOption())
    .option('--limit <n>', 'look at so many runs', positive, 20)
    .action(bind<[SyncStatusOptions]>(async (cli, options) => (await actions()).syncStatus(cli, options)));
}

function providerOption(): Option {
  return new Option('-p, --provider <name>', 'the vendor, e.g. google (required)').makeOptionMandatory();
}
