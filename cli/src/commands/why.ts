import type { Command } from 'commander';
import type { WhyOptions } from '../actions/why.js';
import type { Bind } from './bind.js';
import { namedUser, takeUser } from './values.js';

/** `why [user]` */
export function addWhyCommand(program: Command, bind: Bind): void {
  takeUser(program.command('why'))
    .description(
      'Says for each provider of a user why data do or do not arrive: the cause, since when, the last data, the next try, ' +
        'and what mends it. The worst comes first.',
    )
    .summary('why data of a user do or do not arrive')
    .option('-p, --provider <name>', 'only this provider, e.g. google')
    .addHelpText('after', '\nExample:\n  healthctl why anna@example.org\n')
    .action(
      bind<[string | undefined, WhyOptions & { user?: string }]>(async (cli, user, options) =>
        (await import('../actions/why.js')).why(cli, namedUser(user, options.user), options),
      ),
    );
}
