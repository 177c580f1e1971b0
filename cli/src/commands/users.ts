import type { UserSortColumn } from '@healthd/contract';
import { type Command, Option } from 'commander';
import type { ExportUserOptions } from '../actions/export-user.js';
import type { CreateUserOptions, DeleteUserOptions, ListUsersOptions, UpdateUserOptions } from '../actions/users.js';
import type { Bind } from './bind.js';
import { positive, userId } from './values.js';

/** `users create|list|show|update|export|delete` */
export function addUsersCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/users.js');
  const users = program
    .command('users')
    .helpCommand(false)
    .description('The people whose data is stored.')
    .summary('create, list, show, update, export and delete users');
  users
    .command('create')
    .description(
      'Creates a user. Every field is optional. Users are not de-duplicated: the same email twice makes two.',
    )
    .summary('create a user')
    .option('--email <address>', 'email of the user')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--external-id <id>', 'id of the user in your own system (deprecated)')
    .option('--time-zone <name>', 'zone that places what comes without an offset, e.g. Europe/Warsaw')
    .action(bind<[CreateUserOptions]>(async (cli, options) => (await actions()).createUser(cli, options)));
  users
    .command('list')
    .description('Lists users, newest first.')
    .summary('list users')
    .option(
      '--search <text>',
      'words in any order: parts of the email, a name, the external id, or the beginning of the id',
    )
    .option('--email <address>', 'exactly this email')
    .addOption(
      new Option('--sort <field>', 'order by this field')
        .choices(['created_at', 'email', 'first_name', 'last_name', 'last_synced_at'] satisfies UserSortColumn[])
        .default('created_at'),
    )
    .addOption(new Option('--order <direction>', 'direction of the order').choices(['asc', 'desc']).default('desc'))
    .option('--limit <n>', 'maximum number of users', positive, 50)
    .option('--all', 'all users')
    .action(bind<[ListUsersOptions]>(async (cli, options) => (await actions()).listUsers(cli, options)));
  users
    .command('show')
    .description('Shows one user.')
    .summary('show one user')
    .argument('<id>', 'id of the user', userId)
    .action(bind<[string]>(async (cli, id) => (await actions()).showUser(cli, id)));
  users
    .command('update')
    .description(
      'Changes a user. Another time zone moves items without an offset to other days: the command shows how many and asks first. Requires a developer login.',
    )
    .summary('change a user')
    .argument('<id>', 'id of the user', userId)
    .option('--email <address>', 'email of the user')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--external-id <id>', 'id of the user in your own system (deprecated)')
    .addOption(
      new Option('--time-zone <name>', 'zone that places what comes without an offset, e.g. Europe/Warsaw').conflicts(
        'clearTimeZone',
      ),
    )
    .option('--clear-time-zone', 'no zone of the user: that of a connection counts')
    .option('--dry-run', 'change nothing, only show how many days would move')
    .option('-y, --yes', 'skip the confirmation')
    .action(
      bind<[string, UpdateUserOptions]>(async (cli, id, options) => (await actions()).updateUser(cli, id, options)),
    );
  users
    .command('export')
    .description(
      'Saves everything held about a user as a zip archive of JSON lines; README.txt inside explains it. Requires a developer login.',
    )
    .summary('save everything held about a user')
    .argument('<id>', 'id of the user', userId)
    .option('--out <file>', 'file to write, which must not exist (default: healthd-<id>.zip)')
    .action(
      bind<[string, ExportUserOptions]>(async (cli, id, options) =>
        (await import('../actions/export-user.js')).exportUser(cli, id, options),
      ),
    );
  users
    .command('delete')
    .description('Deletes a user and everything held about them. Asks to repeat the name first.')
    .summary('delete a user and all their data')
    .argument('<id>', 'id of the user', userId)
    .option('-y, --yes', 'skip the confirmation')
    .action(
      bind<[string, DeleteUserOptions]>(async (cli, id, options) => (await actions()).deleteUser(cli, id, options)),
    );
}
