import type { ConnectionState } from '@healthd/contract';
import { type Command, Option } from 'commander';
import type { ConnectOptions, DisconnectOptions, ListConnectionsOptions } from '../actions/connections.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { duration, positive, userId, userOption } from './values.js';

/** `connections list|connect|disconnect` */
export function addConnectionsCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/connections.js');
  const connections = program
    .command('connections')
    .helpCommand(false)
    .description('Links between users and providers: consents at vendors, phones that push.')
    .summary('connect users to providers, list and end connections');
  withExamples(
    connections
      .command('list')
      .description('Lists connections in any state, newest first: those of one user in full, or those of all users.')
      .summary('list connections of one user or of all')
      .addOption(new Option('-u, --user <id>', 'all connections of this user, in full').argParser(userId))
      .addOption(new Option('--provider <name>', 'only connections to this provider, e.g. google').conflicts('user'))
      .addOption(
        new Option('--state <state>', 'only connections in this state; `failing` ones are active')
          .choices(['active', 'failing', 'ended'] satisfies ConnectionState[])
          .conflicts('user'),
      )
      .option('--limit <n>', 'maximum number of connections of all users', positive, 50)
      .option('--all', 'all connections of all users')
      .action(bind<[ListConnectionsOptions]>(async (cli, options) => (await actions()).listConnections(cli, options))),
    'healthctl connections list --user anna@example.org',
    'healthctl connections list --provider google --state failing',
  );
  withExamples(
    connections
      .command('connect')
      .description(
        'Prints the address where the person consents; it is good for 15 minutes. Open it in the browser of that person.',
      )
      .summary('begin a connection: print the consent address')
      .argument('<provider>', 'name of the provider, e.g. google; `healthctl providers list` shows them')
      .addOption(userOption())
      .option('--redirect <address>', 'where the person goes afterwards; OAUTH_REDIRECT_ALLOWLIST must allow it')
      .option('--wait [time]', 'wait until the person has consented (default: 15m)', duration)
      .action(
        bind<[string, ConnectOptions]>(async (cli, provider, options) =>
          (await actions()).connect(cli, provider, options),
        ),
      ),
    'healthctl connections connect google --user anna@example.org',
  );
  connections
    .command('disconnect')
    .description(
      'Ends a connection, here and at the vendor. The data stay, unless --delete-data is given; then the name of the ' +
        'provider has to be repeated.',
    )
    .summary('end a connection')
    .argument('<provider>', 'name of the provider')
    .addOption(userOption())
    .option('--delete-data', 'delete everything that came from the provider too')
    .option('--dry-run', 'change nothing, only show how much came from the provider')
    .option('-y, --yes', 'skip the confirmation')
    .action(
      bind<[string, DisconnectOptions]>(async (cli, provider, options) =>
        (await actions()).disconnect(cli, provider, options),
      ),
    );
}
