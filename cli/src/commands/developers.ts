import {
  changePassword,
  currentDeveloper,
  deleteDeveloper,
  getDeveloper,
  listDevelopers,
  updateCurrentDeveloper,
  updateDeveloper,
} from '@healthd/contract';
import type { DeveloperResponse } from '@healthd/schemas';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { type FieldPath, NO_FIELDS } from '../output/fields.js';
import { at } from '../output/instant.js';
import { writeRecord, writeRows } from '../output/writer.js';
import { pickId } from '../service/pick.js';
import { confirmByTyping } from '../ui/confirm.js';
import { askSecret } from '../ui/prompt.js';
import type { Bind } from './bind.js';

const WHO = 'id of the developer or its prefix, or the email';

/** `developers list|show|update|password|delete` */
export function addDevelopersCommands(program: Command, bind: Bind): void {
  const developers = program
    .command('developers')
    .helpCommand(false)
    .description('Developer accounts of the service. Requires a developer login.')
    .summary('list, show, update and delete developer accounts');
  developers.command('list').description('Lists developers.').summary('list developers').action(bind(listAll));
  developers
    .command('show')
    .description('Shows one developer. Without an argument, shows your own account.')
    .summary('show one developer')
    .argument('[developer]', WHO)
    .action(bind(show));
  developers
    .command('update')
    .description(
      'Updates a developer. Without an argument, updates your own account. To change your own email, enter your password at the prompt.',
    )
    .summary('update a developer')
    .argument('[developer]', WHO)
    .option('--email <address>', 'email of the developer, used to log in')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .action(bind(update));
  developers
    .command('password')
    .description('Changes your password. Prompts for the old and the new password, and ends your other logins.')
    .summary('change your password')
    .action(bind(password));
  developers
    .command('delete')
    .description('Deletes an account. Asks you to type its email first.')
    .summary('delete an account')
    .argument('<developer>', WHO)
    .option('-y, --yes', 'skip the confirmation')
    .action(bind(remove));
}

const FIELDS = [
  'id',
  'first_name',
  'last_name',
  'email',
  'created_at',
  'updated_at',
] as const satisfies FieldPath<DeveloperResponse>[];

const SHAPE = {
  fields: FIELDS,
  columns: [
    { header: 'ID', cell: (developer: DeveloperResponse) => developer.id, keep: true as const },
    { header: 'Email', cell: (developer: DeveloperResponse) => developer.email, shrinkTo: 12 },
    { header: 'Name', cell: nameOf, shrinkTo: 8 },
    { header: 'Created', cell: (developer: DeveloperResponse) => at(developer.created_at) },
  ],
  pairs: (developer: DeveloperResponse) =>
    [
      ['ID', developer.id],
      ['Email', developer.email],
      ['Name', nameOf(developer)],
      ['Created', at(developer.created_at)],
      ['Updated', at(developer.updated_at)],
    ] as const,
};

const ASK_INSTEAD = 'Run this in a terminal to enter the password. A password is never a command-line argument.';

/** `healthctl developers list` */
async function listAll(cli: Cli): Promise<void> {
  cli.willWrite(SHAPE);
  await writeRows(cli.sink, SHAPE, await allDevelopers(cli));
}

/** `healthctl developers show` */
async function show(cli: Cli, who: string | undefined): Promise<void> {
  cli.willWrite(SHAPE);
  const client = await cli.client();
  const developer =
    who === undefined
      ? await client.call(currentDeveloper, { signal: cli.signal })
      : await client.call(getDeveloper, { params: { developer_id: await idOf(cli, who) }, signal: cli.signal });
  await writeRecord(cli.sink, SHAPE, developer);
}

interface UpdateDeveloperOptions {
  email?: string;
  firstName?: string;
  lastName?: string;
}

/** `healthctl developers update` */
async function update(cli: Cli, who: string | undefined, options: UpdateDeveloperOptions): Promise<void> {
  cli.willWrite(SHAPE);
  const { email, firstName, lastName } = options;
  if (email === undefined && firstName === undefined && lastName === undefined) {
    throw new CliError('nothing_to_set', 'Pass --email, --first-name or --last-name.', {
      exitCode: EXIT.usage,
    });
  }
  const client = await cli.client();
  const fields = { email, first_name: firstName, last_name: lastName };
  if (who !== undefined) {
    const params = { developer_id: await idOf(cli, who) };
    return writeRecord(
      cli.sink,
      SHAPE,
      await client.call(updateDeveloper, { params, body: fields, signal: cli.signal }),
    );
  }
  const current_password = email === undefined ? undefined : await askSecret(cli.terminal, 'Password', ASK_INSTEAD);
  const body = { ...fields, current_password };
  await writeRecord(cli.sink, SHAPE, await client.call(updateCurrentDeveloper, { body, signal: cli.signal }));
}

/** `healthctl developers password` */
async function password(cli: Cli): Promise<void> {
  cli.willWrite(NO_FIELDS);
  const current_password = await askSecret(cli.terminal, 'Current password', ASK_INSTEAD);
  const new_password = await askSecret(cli.terminal, 'New password', ASK_INSTEAD);
  const confirm_password = await askSecret(cli.terminal, 'New password again', ASK_INSTEAD);
  const client = await cli.client();
  const body = { current_password, new_password, confirm_password };
  const { message } = await client.call(changePassword, { body, signal: cli.signal });
  cli.say(message);
  cli.hint('Log in again: healthctl login');
}

/** `healthctl developers delete` */
async function remove(cli: Cli, who: string, { yes }: { yes?: boolean }): Promise<void> {
  cli.willWrite(SHAPE);
  const id = await idOf(cli, who, yes);
  const client = await cli.client();
  if (!yes) {
    const { email } = await client.call(getDeveloper, { params: { developer_id: id }, signal: cli.signal });
    await confirmByTyping(cli, `This deletes the account ${email} and ends its logins.`, email, 'delete');
  }
  const deleted = await client.call(deleteDeveloper, { params: { developer_id: id }, signal: cli.signal });
  cli.say(`Deleted the account ${deleted.email}.`);
  await writeRecord(cli.sink, { fields: FIELDS }, deleted);
}

async function allDevelopers(cli: Cli): Promise<DeveloperResponse[]> {
  return (await cli.client()).call(listDevelopers, { signal: cli.signal });
}

async function idOf(cli: Cli, text: string, unasked?: boolean): Promise<string> {
  const developers = await allDevelopers(cli);
  const choices = developers.map(({ id, email }) => ({ id, label: email, names: [email] }));
  return pickId(cli, 'developer', text, choices, { unasked });
}

function nameOf({ first_name, last_name }: DeveloperResponse): string {
  return [first_name, last_name].filter(Boolean).join(' ');
}
