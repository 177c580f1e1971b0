import type { Command } from 'commander';
import type { UpdateDeveloperOptions } from '../actions/developers.js';
import type { Bind } from './bind.js';

const WHO = 'id of the developer or its beginning, or the e-mail';

/** `developers list|show|update|password|delete` */
export function addDevelopersCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/developers.js');
  const developers = program
    .command('developers')
    .helpCommand(false)
    .description('Accounts of the people who work with the service. Requires a developer login.')
    .summary('accounts of the people who work with the service');
  developers
    .command('list')
    .description('Lists developers.')
    .summary('list developers')
    .action(bind(async (cli) => (await actions()).listAll(cli)));
  developers
    .command('show')
    .description('Shows one developer; without a name, the one who is logged in.')
    .summary('show one developer')
    .argument('[developer]', WHO)
    .action(bind<[string | undefined]>(async (cli, who) => (await actions()).show(cli, who)));
  developers
    .command('update')
    .description(
      'Changes a developer; without a name, the one who is logged in. Another e-mail of your own needs your password, which is asked for.',
    )
    .summary('change a developer')
    .argument('[developer]', WHO)
    .option('--email <address>', 'email, with which the developer logs in')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .action(
      bind<[string | undefined, UpdateDeveloperOptions]>(async (cli, who, options) =>
        (await actions()).update(cli, who, options),
      ),
    );
  developers
    .command('password')
    .description('Changes your own password. Asks for the old one and the new one; other logins of yours end.')
    .summary('change your own password')
    .action(bind(async (cli) => (await actions()).password(cli)));
  developers
    .command('delete')
    .description('Deletes an account. Asks to repeat the e-mail first.')
    .summary('delete an account')
    .argument('<developer>', WHO)
    .option('-y, --yes', 'skip the confirmation')
    .action(
      bind<[string, { yes?: boolean }]>(async (cli, who, options) => (await actions()).remove(cli, who, options)),
    );
}
