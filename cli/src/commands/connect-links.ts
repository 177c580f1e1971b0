import type { ConnectLanguage } from '@healthd/contract';
import { type Command, Option } from 'commander';
import type { CreateLinkOptions } from '../actions/connect-links.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { duration, list, userOption } from './values.js';

/** `connect-links create|list|renew|revoke` */
export function addConnectLinksCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/connect-links.js');
  const links = program
    .command('connect-links')
    .helpCommand(false)
    .description('Links with which a person connects providers by themselves, without a login.')
    .summary('links with which people connect by themselves');
  withExamples(
    links
      .command('create')
      .description(
        'Makes a link and prints it: once, and never again. Send it to the person it is for and to no one else.',
      )
      .summary('make a link')
      .addOption(userOption())
      .option(
        '--providers <names>',
        'what the page offers, e.g. google,whoop (default: all that can be connected)',
        list,
      )
      .option('--expires <time>', 'how long it is good for, from 5m to 168h (default: 24h)', duration)
      .option('--redirect <address>', 'where the page leads on; OAUTH_REDIRECT_ALLOWLIST must allow it')
      .option('--opener <origin>', 'origin of the page that opens the link in a window and is notified how it ended')
      .addOption(
        new Option('--language <code>', 'language of the page (default: that of the browser)').choices([
          'en',
          'de',
        ] satisfies ConnectLanguage[]),
      )
      .action(bind<[CreateLinkOptions]>(async (cli, options) => (await actions()).createLink(cli, options))),
    'healthctl connect-links create --user anna@example.org --providers google --expires 48h',
  );
  withExamples(
    links
      .command('list')
      .description('Lists the links of a user of the last 30 days, newest first, and what became of them.')
      .summary('list links')
      .addOption(userOption())
      .action(bind<[{ user: string }]>(async (cli, options) => (await actions()).listLinks(cli, options))),
    'healthctl connect-links list --user anna@example.org',
  );
  links
    .command('renew')
    .description(
      'Replaces a link that has expired or soon will by a new one with the same providers, redirect and language, and prints it: once, and never again. The old one ends.',
    )
    .summary('replace a link by a new one')
    .argument('<link>', 'id of the link or its beginning')
    .addOption(userOption())
    .action(
      bind<[string, { user: string }]>(async (cli, link, options) => (await actions()).renewLink(cli, link, options)),
    );
  links
    .command('revoke')
    .description('Ends a link. Connections that were made with it stay.')
    .summary('end a link')
    .argument('<link>', 'id of the link or its beginning')
    .addOption(userOption())
    .action(
      bind<[string, { user: string }]>(async (cli, link, options) => (await actions()).revokeLink(cli, link, options)),
    );
}
