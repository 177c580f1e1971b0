import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from '@healthd/contract';
import type { DeveloperResponse, InvitationResponse } from '@healthd/schemas';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import type { FieldPath } from '../output/fields.js';
import { at } from '../output/instant.js';
import { writeRecord, writeRows } from '../output/writer.js';
import { pickId } from '../service/pick.js';
import { askSecret } from '../ui/prompt.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';

/** `invitations list|create|resend|revoke|accept` */
export function addInvitationsCommands(program: Command, bind: Bind): void {
  const invitations = program
    .command('invitations')
    .helpCommand(false)
    .description('Invitations for new developers. Requires a developer login, except to accept an invitation.')
    .summary('invite new developers');
  invitations
    .command('list')
    .description('Lists invitations, newest first.')
    .summary('list invitations')
    .action(bind(listAll));
  withExamples(
    invitations
      .command('create')
      .description('Invites a developer and prints the invitation token. No email is sent: send the token yourself.')
      .summary('invite a developer')
      .argument('<email>', 'email of the new developer')
      .action(bind(invite)),
    'healthctl invitations create grace@example.org',
  );
  invitations
    .command('resend')
    .description('Creates a new token for an invitation. The old token stops working.')
    .summary('create a new token')
    .argument('<invitation>', 'id of the invitation or its prefix, or the email')
    .action(bind(resend));
  invitations
    .command('revoke')
    .description('Revokes a pending invitation.')
    .summary('revoke an invitation')
    .argument('<invitation>', 'id of the invitation or its prefix, or the email')
    .action(bind(revoke));
  invitations
    .command('accept')
    .description(
      'Accepts an invitation: prompts for its token and a password, and creates the account. Requires no login.',
    )
    .summary('accept an invitation')
    .requiredOption('--first-name <name>', 'your first name')
    .requiredOption('--last-name <name>', 'your last name')
    .action(bind(accept));
}

const FIELDS = [
  'id',
  'email',
  'token',
  'status',
  'expires_at',
  'created_at',
  'invited_by_id',
] as const satisfies FieldPath<InvitationResponse>[];

const SHAPE = {
  fields: FIELDS,
  columns: [
    { header: 'ID', cell: (invitation: InvitationResponse) => invitation.id, keep: true as const },
    { header: 'Email', cell: (invitation: InvitationResponse) => invitation.email, shrinkTo: 12 },
    { header: 'State', cell: (invitation: InvitationResponse) => invitation.status },
    { header: 'Expires', cell: (invitation: InvitationResponse) => at(invitation.expires_at) },
  ],
  pairs: (invitation: InvitationResponse) =>
    [
      ['ID', invitation.id],
      ['Email', invitation.email],
      ['State', invitation.status],
      ['Token', invitation.token],
      ['Expires', at(invitation.expires_at)],
    ] as const,
};

/** `healthctl invitations list` */
async function listAll(cli: Cli): Promise<void> {
  cli.willWrite(SHAPE);
  const count = await writeRows(cli.sink, SHAPE, await allInvitations(cli));
  if (count === 0) cli.hint('No open invitations. Invite a developer: healthctl invitations create ada@example.org');
}

/** `healthctl invitations create` */
async function invite(cli: Cli, email: string): Promise<void> {
  cli.willWrite(SHAPE);
  const client = await cli.client();
  await showToken(cli, await client.call(createInvitation, { body: { email }, signal: cli.signal }));
}

/** `healthctl invitations resend` */
async function resend(cli: Cli, invitation: string): Promise<void> {
  cli.willWrite(SHAPE);
  const params = { invitation_id: await idOf(cli, invitation) };
  const client = await cli.client();
  await showToken(cli, await client.call(resendInvitation, { params, signal: cli.signal }));
}

/** `healthctl invitations revoke` */
async function revoke(cli: Cli, invitation: string): Promise<void> {
  cli.willWrite(SHAPE);
  const params = { invitation_id: await idOf(cli, invitation) };
  const client = await cli.client();
  const revoked = await client.call(revokeInvitation, { params, signal: cli.signal });
  cli.say(`Revoked the invitation for ${revoked.email}.`);
  await writeRecord(cli.sink, { fields: FIELDS }, revoked);
}

interface AcceptOptions {
  firstName: string;
  lastName: string;
}

const ACCEPTED = {
  fields: ['id', 'email', 'first_name', 'last_name'] as const satisfies FieldPath<DeveloperResponse>[],
  pairs: ({ id, email }: DeveloperResponse) =>
    [
      ['ID', id],
      ['Email', email],
    ] as const,
};

/** `healthctl invitations accept` */
async function accept(cli: Cli, { firstName, lastName }: AcceptOptions): Promise<void> {
  cli.willWrite(ACCEPTED);
  const instead =
    'Run this in a terminal to enter the token and the password. Secrets are never command-line arguments.';
  const token = await askSecret(cli.terminal, 'Invitation token', instead);
  const password = await askSecret(cli.terminal, 'New password', instead);
  const client = await cli.client();
  const body = { token: token.trim(), first_name: firstName, last_name: lastName, password };
  const developer = await client.call(acceptInvitation, { body, signal: cli.signal });
  await writeRecord(cli.sink, ACCEPTED, developer);
  cli.hint('Next: healthctl login');
}

async function showToken(cli: Cli, invitation: InvitationResponse): Promise<void> {
  await writeRecord(cli.sink, SHAPE, invitation);
  if (invitation.token === null) return;
  const { url } = await cli.connection();
  cli.say(
    `No email is sent. Send the token to the developer, who accepts it with: healthctl invitations accept --url ${url}`,
  );
}

async function allInvitations(cli: Cli): Promise<InvitationResponse[]> {
  return (await cli.client()).call(listInvitations, { signal: cli.signal });
}

async function idOf(cli: Cli, text: string): Promise<string> {
  const invitations = await allInvitations(cli);
  const choices = invitations.map(({ id, email, status }) => ({ id, label: `${email} ${status}`, names: [email] }));
  return pickId(cli, 'invitation', text, choices);
}
