import type { DiagnosisCause } from '@healthd/schemas';
import type { Command } from 'commander';
import type { TroubledUsersOptions } from '../actions/trouble.js';
import type { Bind } from './bind.js';
import { positive } from './values.js';

/** `trouble list|users` */
export function addTroubleCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/trouble.js');
  const trouble = program
    .command('trouble')
    .helpCommand(false)
    .description('Why data do not arrive, over all users: connections grouped by cause.')
    .summary('why data do not arrive, over all users');
  trouble
    .command('list')
    .description('Lists each cause with how many users it concerns and since when; the worst first.')
    .summary('list causes')
    .action(bind<[]>(async (cli) => (await actions()).listGroups(cli)));
  trouble
    .command('users')
    .description('Lists the users whom one cause concerns at one provider.')
    .summary('list users of a cause')
    .argument('<cause>', 'as `healthctl trouble list` shows it, e.g. consent_ended')
    .requiredOption('--provider <name>', 'name of the provider (required)')
    .option('--limit <n>', 'maximum number of users', positive, 100)
    .option('--all', 'all users')
    .action(
      bind<[DiagnosisCause, TroubledUsersOptions]>(async (cli, cause, options) =>
        (await actions()).listGroupUsers(cli, cause, options),
      ),
    );
}
