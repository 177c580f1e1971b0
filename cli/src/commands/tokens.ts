import type { Command } from 'commander';
import type { CreateTokenOptions } from '../actions/tokens.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { userOption } from './values.js';

/** `tokens create|code|redeem|revoke` */
export function addTokensCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/tokens.js');
  const tokens = program
    .command('tokens')
    .helpCommand(false)
    .description('Tokens and codes with which the phone of a user pushes data.')
    .summary('tokens and codes for phones that push');
  tokens
    .command('create')
    .description(
      'Obtains tokens with which a device pushes data of one user. Requires a developer login, or the app id and secret of an application.',
    )
    .summary('obtain tokens of a user')
    .addOption(userOption())
    .option('--app <app_id>', 'as this application; its secret is asked for, or read from stdin')
    .action(bind<[CreateTokenOptions]>(async (cli, options) => (await actions()).createToken(cli, options)));
  withExamples(
    tokens
      .command('code')
      .description(
        'Creates a code of eight characters that a user types into the app; it is good for 7 days. Earlier codes of the user end. Requires a developer login.',
      )
      .summary('create a code that a user types into the app')
      .addOption(userOption())
      .action(bind<[{ user: string }]>(async (cli, options) => (await actions()).createCode(cli, options))),
    'healthctl tokens code --user anna@example.org',
  );
  tokens
    .command('redeem')
    .description('Exchanges a code for the tokens of its user, as the app does. The code ends. Needs no login.')
    .summary('exchange a code for tokens, as the app does')
    .argument('<code>', 'the code; case, blanks and dashes do not matter')
    .action(bind<[string]>(async (cli, code) => (await actions()).redeemCode(cli, code)));
  tokens
    .command('revoke')
    .description(
      'Ends the login that a refresh token belongs to. The token is asked for, or read from stdin. Needs no login.',
    )
    .summary('end the login of a refresh token')
    .action(bind(async (cli) => (await actions()).revoke(cli)));
}
