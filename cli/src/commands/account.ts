import type { Command } from 'commander';
import type { LoginOptions } from '../actions/login.js';
import type { Bind } from './bind.js';

/** `login`, `logout`, `whoami` */
export function addAccountCommands(program: Command, bind: Bind): void {
  program
    .command('login')
    .summary('store a login for a service')
    .description(
      'Logs in with email and password, or with a secret that is asked for or comes in on stdin. What is stored goes to the profile, a file that only you may read. Secrets are never taken as arguments.',
    )
    .option('--email <address>', 'email of the developer account')
    .option('--with-token', 'ask for an API key (sk-…) or a refresh token (rt-…), or read it from stdin')
    .option('--api-key-stdin', 'ask for an API key (sk-…), or read it from stdin')
    .addHelpText(
      'after',
      '\nExamples:\n  healthctl login --url https://health.example.org\n  healthctl login --with-token < key.txt\n',
    )
    .action(bind<[LoginOptions]>(async (cli, options) => (await import('../actions/login.js')).login(cli, options)));
  program
    .command('logout')
    .description('Ends the login at the service and removes the stored credentials of the context.')
    .summary('log out and remove the stored credentials')
    .action(bind(async (cli) => (await import('../actions/logout.js')).logout(cli)));
  program
    .command('whoami')
    .description('Shows which service is called, where its address was found, and with which credential.')
    .summary('show the service and the credential in use')
    .action(bind(async (cli) => (await import('../actions/whoami.js')).whoami(cli)));
}
