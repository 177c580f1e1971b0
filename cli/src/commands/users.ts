import type { UserConnectionState, UserSortColumn } from '@healthd/contract';
import { type Command, Option } from 'commander';
import type { ExportUserOptions } from '../actions/export-user.js';
import type { CreateUserOptions, DeleteUserOptions, ListUsersOptions, UpdateUserOptions } from '../actions/users.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { positive, userId } from './values.js';

/** `users create|list|show|update|export|delete|erasure` */
export function addUsersCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/users.js');
  const users = program
    .command('users')
    .helpCommand(false)
    .description('The people whose data is stored.')
    .summary('create, list, show, update, export and delete users');
  withExamples(
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
      .action(bind<[CreateUserOptions]>(async (cli, options) => (await actions()).createUser(cli, options))),
    'healthctl users create --email anna@example.org --first-name Anna',
  );
  withExamples(
    users
      .command('list')
      .description('Lists users, newest first.')
      .summary('list users')
      .option(
        '--search <text>',
        'words in any order: parts of the email, a name, the external id, or the beginning of the id',
      )
      .option('--email <address>', 'exactly this email')
      .option('--provider <name>', 'only users with a connection to this provider, e.g. google')
      .addOption(
        new Option('--connection <state>', 'only users with a connection in this state, or without one').choices([
          'active',
          'failing',
          'ended',
          'none',
        ] satisfies UserConnectionState[]),
      )
      .addOption(
        new Option('--sort <field>', 'order by this field')
          .choices(['created_at', 'email', 'first_name', 'last_name', 'last_synced_at'] satisfies UserSortColumn[])
          .default('created_at'),
      )
      .addOption(new Option('--order <direction>', 'direction of the order').choices(['asc', 'desc']).default('desc'))
      .option('--limit <n>', 'maximum number of users', positive, 50)
      .option('--all', 'all users')
      .action(bind<[ListUsersOptions]>(async (cli, options) => (await actions()).listUsers(cli, options))),
    'healthctl users list --search anna',
    'healthctl users list --provider google --connection failing',
    "healthctl users list --all --jq '.[].id'",
  );
  withExamples(
    users
      .command('show')
      .description('Shows one user.')
      .summary('show one user')
      .argument('<id>', 'id of the user or its beginning, e-mail or external id', userId)
      .action(bind<[string]>(async (cli, id) => (await actions()).showUser(cli, id))),
    'healthctl users show anna@example.org',
  );
  withExamples(
    users
      .command('update')
      .description(
        'Changes a user. Another time zone moves items without an offset to other days: the command shows how many and asks first. Requires a developer login.',
      )
      .summary('change a user')
      .argument('<id>', 'id of the user or its beginning, e-mail or external id', userId)
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
      ),
    'healthctl users update anna@example.org --time-zone Europe/Berlin --dry-run',
  );
  withExamples(
    users
      .command('export')
      .description(
        'Saves everything held about a user as a zip archive of JSON lines; README.txt inside explains it. Requires a developer login.',
      )
      .summary('save everything held about a user')
      .argument('<id>', 'id of the user or its beginning, e-mail or external id', userId)
      .option('--out <file>', 'file to write, which must not exist (default: healthd-<id>.zip)')
      .action(
        bind<[string, ExportUserOptions]>(async (cli, id, options) =>
          (await import('../actions/export-user.js')).exportUser(cli, id, options),
        ),
      ),
    'healthctl users export anna@example.org --out anna.zip',
  );
  users
    .command('delete')
    .description(
      'Deletes a user and everything held about them, and shows how much that was. Asks to repeat the name first.',
    )
    .summary('delete a user and all their data')
    .argument('<id>', 'id of the user or its beginning, e-mail or external id', userId)
    .option('--dry-run', 'delete nothing, only show how much is held')
    .option('-y, --yes', 'skip the confirmation')
    .action(
      bind<[string, DeleteUserOptions]>(async (cli, id, options) => (await actions()).deleteUser(cli, id, options)),
    );
  users
    .command('erasure')
    .description(
      'Shows the receipt of an erasure: how much was erased, and what became of consents at vendors. Nothing in it says who it was. Requires a developer login.',
    )
    .summary('show the receipt of an erasure')
    .argument('<erasure>', 'id of the erasure, as `users delete` shows it')
    .action(bind<[string]>(async (cli, id) => (await import('../actions/erasures.js')).showErasure(cli, id)));
}
