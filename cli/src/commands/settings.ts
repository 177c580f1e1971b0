import { type Command, InvalidArgumentError } from 'commander';
import type { RunArchivalOptions, SetArchivalOptions } from '../actions/archival.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { positive } from './values.js';

/** `settings archival show|set|run` */
export function addSettingsCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/archival.js');
  const archival = program
    .command('settings')
    .helpCommand(false)
    .description('Settings of the service. Requires a developer login.')
    .summary('settings of the service')
    .command('archival')
    .helpCommand(false)
    .description(
      'How long samples are kept. Archived samples remain in daily figures: summaries stay as they are, time series lose ' +
        'them. What is deleted is gone, figures included; sleep, workouts and scores stay.',
    )
    .summary('how long samples are kept');
  archival
    .command('show')
    .description('Shows the settings, and how much space samples and archived days take.')
    .summary('show settings and space')
    .action(bind(async (cli) => (await actions()).showArchival(cli)));
  archival
    .command('set')
    .description(
      'Sets one or both; what is not named stays. Work begins immediately and is done daily at 03:00 UTC. Asks first, with ' +
        'the numbers of users, days and samples concerned.',
    )
    .summary('set how long samples are kept')
    .option('--archive-after <days>', 'archive samples older than this many days (1 to 3650), or off', daysOrOff)
    .option('--delete-after <days>', 'delete what is older than this many days (1 to 7300), or off', daysOrOff)
    .option('--dry-run', 'show what would be archived and deleted, and change nothing')
    .option('-y, --yes', 'skip the confirmation')
    .action(bind<[SetArchivalOptions]>(async (cli, options) => (await actions()).setArchivalDays(cli, options)));
  withExamples(
    archival
      .command('run')
      .description(
        'Archives and deletes now what the settings say, instead of at the next 03:00 UTC. Asks first, with the numbers of ' +
          'users, days and samples concerned.',
      )
      .summary('do the work now')
      .option('--dry-run', 'show what would be archived and deleted, and change nothing')
      .option('-y, --yes', 'skip the confirmation')
      .action(bind<[RunArchivalOptions]>(async (cli, options) => (await actions()).runArchivalNow(cli, options))),
    'healthctl settings archival run --dry-run',
  );
}

/** A number of days, or `off`. */
function daysOrOff(text: string): number | 'off' {
  if (text === 'off') return text;
  try {
    return positive(text);
  } catch {
    throw new InvalidArgumentError('Give a number of days, or off.');
  }
}
