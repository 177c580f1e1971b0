import type { Command } from 'commander';
import type { ConnectOptions, DisconnectOptions, UserOfConnections } from '../actions/connections.js';
import type { Bind } from './bind.js';
import { duration, userOption } from './values.js';

/** `connections list|connect|disconnect` */
export function addConnectionsCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/connections.js');
  const connections = program
    .command('connections')
    .helpCommand(false)
    .description('What binds users to providers: consents at vendors, phones that push.')
    .summary('connect users to providers, list and end connections');
  connections
    .command('list')
    .description('Lists the connections of a user, whatever their state, newest first.')
    .summary('list the connections of a user')
    .addOption(userOption())
    .action(bind<[UserOfConnections]>(async (cli, options) => (await actions()).listConnections(cli, options)));
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
    .option('-y, --yes', 'skip the confirmation')
    .action(
      bind<[string, DisconnectOptions]>(async (cli, provider, options) =>
        (await actions()).disconnect(cli, provider, options),
      ),
    );
}
