import type { Command } from 'commander';
import type { WhyOptions } from '../actions/why.js';
import type { Bind } from './bind.js';
import { userId } from './values.js';

/** `why <user>` */
export function addWhyCommand(program: Command, bind: Bind): void {
  program
    .command('why')
    .description(
      'Says for each provider of a user why data do or do not arrive: the cause, since when, the last data, the next try, ' +
        'and what mends it. The worst comes first.',
    )
    .summary('why data of a user do or do not arrive')
    .argument('<user>', 'id of the user or its beginning, e-mail or external id', userId)
    .option('--provider <name>', 'only this provider, e.g. google')
    .addHelpText('after', '\nExample:\n  healthctl why anna@example.org\n')
    .action(
      bind<[string, WhyOptions]>(async (cli, user, options) =>
        (await import('../actions/why.js')).why(cli, user, options),
      ),
    );
}
