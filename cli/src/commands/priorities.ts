import { type Command, Option } from 'commander';
import type { PreviewPrioritiesOptions } from '../actions/priorities.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { userId } from './values.js';

/** `priorities preview` */
export function addPrioritiesCommands(program: Command, bind: Bind): void {
  const priorities = program
    .command('priorities')
    .helpCommand(false)
    .description('Compares how sources are selected.')
    .summary('preview priorities, or the effect of an upgrade');
  withExamples(
    priorities
      .command('preview')
      .description(
        'Shows how many days and nights other priorities would change, or how many the upgrade to one selection rule has changed and why. Changes nothing. Compares a random sample of more than 1,000 users. Requires a developer login.',
      )
      .summary('show what priorities or an upgrade change')
      .argument('[priorities...]', 'names with numbers: garmin=1 google=2; or one list, best first: garmin,google')
      .option('--devices', 'kinds of devices in place of providers')
      .option('--upgrade', 'compare with the sources before the upgrade')
      .addOption(
        new Option('-u, --user <id>', 'days and nights of the last 30 days of this user that would change').argParser(
          userId,
        ),
      )
      .action(
        bind<[string[], PreviewPrioritiesOptions]>(async (cli, texts, options) =>
          (await import('../actions/priorities.js')).previewChange(cli, texts, options),
        ),
      ),
    'healthctl priorities preview google=1',
    'healthctl priorities preview --upgrade',
  );
}
