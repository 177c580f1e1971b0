import type { Command } from 'commander';
import type { AcceptOptions } from '../actions/invitations.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';

/** `invitations list|create|resend|revoke|accept` */
export function addInvitationsCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/invitations.js');
  const invitations = program
    .command('invitations')
    .helpCommand(false)
    .description('Invitations of further developers. Requires a developer login, except to accept one.')
    .summary('invite further developers');
  invitations
    .command('list')
    .description('Lists invitations, newest first.')
    .summary('list invitations')
    .action(bind(async (cli) => (await actions()).listAll(cli)));
  withExamples(
    invitations
      .command('create')
      .description('Invites a developer and prints the token to accept with. No mail is sent: pass the token on.')
      .summary('invite a developer')
      .argument('<email>', 'e-mail of the new developer')
      .action(bind<[string]>(async (cli, email) => (await actions()).invite(cli, email))),
    'healthctl invitations create grace@example.org',
  );
  invitations
    .command('resend')
    .description('Makes a new token of an invitation; the old one ends.')
    .summary('make a new token')
    .argument('<invitation>', 'id of the invitation or its beginning, or the e-mail')
    .action(bind<[string]>(async (cli, invitation) => (await actions()).resend(cli, invitation)));
  invitations
    .command('revoke')
    .description('Ends an invitation that was not accepted yet.')
    .summary('end an invitation')
    .argument('<invitation>', 'id of the invitation or its beginning, or the e-mail')
    .action(bind<[string]>(async (cli, invitation) => (await actions()).revoke(cli, invitation)));
  invitations
    .command('accept')
    .description('Accepts an invitation: asks for its token and for a password, and makes the account. Needs no login.')
    .summary('accept an invitation')
    .requiredOption('--first-name <name>', 'your first name')
    .requiredOption('--last-name <name>', 'your last name')
    .action(bind<[AcceptOptions]>(async (cli, options) => (await actions()).accept(cli, options)));
}
