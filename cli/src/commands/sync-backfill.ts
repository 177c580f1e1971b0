import type { Command, Option } from 'commander';
import type { BackfillOptions } from '../actions/sync-backfill.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { userOption } from './values.js';

/** `sync backfill status|cancel|retry` */
export function addBackfillCommands(sync: Command, bind: Bind, providerOption: () => Option): void {
  const actions = () => import('../actions/sync-backfill.js');
  const backfill = sync
    .command('backfill')
    .helpCommand(false)
    .description('The past of a user where the vendor exports it on request and delivers it later, e.g. Garmin.')
    .summary('the past that a vendor exports on request');
  withExamples(
    backfill
      .command('status')
      .description('Shows how far each kind of data is: requested, awaited, arrived or failed.')
      .summary('show how far each kind of data is')
      .addOption(userOption())
      .addOption(providerOption())
      .action(bind<[BackfillOptions]>(async (cli, options) => (await actions()).backfillStatus(cli, options))),
    'healthctl sync backfill status --user anna@example.org --provider garmin',
  );
  backfill
    .command('cancel')
    .description('Stops further requests. The vendor still delivers what was requested before, and it is stored.')
    .summary('stop further requests')
    .addOption(userOption())
    .addOption(providerOption())
    .action(bind<[BackfillOptions]>(async (cli, options) => (await actions()).cancelRequested(cli, options)));
  withExamples(
    backfill
      .command('retry')
      .description(
        'Requests the past of one kind of data again. The vendor does not deliver a window again that it has accepted before.',
      )
      .summary('request one kind of data again')
      .argument('<type>', 'kind of data, as `sync backfill status` names it')
      .addOption(userOption())
      .addOption(providerOption())
      .action(
        bind<[string, BackfillOptions]>(async (cli, type, options) => (await actions()).retryType(cli, type, options)),
      ),
    'healthctl sync backfill retry hrv --user anna@example.org --provider garmin',
  );
}
