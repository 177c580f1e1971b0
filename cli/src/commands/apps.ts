import { createApplication, deleteApplication, listApplications, rotateApplicationSecret } from '@healthd/contract';
import type { ApplicationResponse, ApplicationWithSecret } from '@healthd/schemas';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import type { FieldPath } from '../output/fields.js';
import { at } from '../output/instant.js';
import { writeRecord, writeRows } from '../output/writer.js';
import { pickId } from '../service/pick.js';
import { confirmByTyping } from '../ui/confirm.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';

/** `apps list|create|rotate-secret|delete` */
export function addAppsCommands(program: Command, bind: Bind): void {
  const apps = program
    .command('apps')
    .helpCommand(false)
    .description('Applications: their servers get tokens that phones use to push data. Requires a developer login.')
    .summary('list, create and delete applications');
  withExamples(
    apps
      .command('list')
      .description('Lists applications, newest first.')
      .summary('list applications')
      .action(bind(listApps)),
    'healthctl apps list',
  );
  withExamples(
    apps
      .command('create')
      .description('Creates an application and prints its secret. The secret is shown only once.')
      .summary('create an application')
      .argument('<name>', 'name of the application')
      .action(bind(createApp)),
    'healthctl apps create Diary',
  );
  apps
    .command('rotate-secret')
    .description('Replaces the secret of an application and prints the new one. The old secret stops working.')
    .summary('replace the secret of an application')
    .argument('<app>', 'app id or its prefix, or the name')
    .action(bind(rotateSecret));
  apps
    .command('delete')
    .description('Deletes an application. Asks you to type its name first.')
    .summary('delete an application')
    .argument('<app>', 'app id or its prefix, or the name')
    .option('-y, --yes', 'skip the confirmation')
    .action(bind(deleteApp));
}

const FIELDS = ['id', 'app_id', 'name', 'created_at'] as const satisfies FieldPath<ApplicationResponse>[];

const SHAPE = {
  fields: FIELDS,
  columns: [
    { header: 'App id', cell: (app: ApplicationResponse) => app.app_id, keep: true as const },
    { header: 'Name', cell: (app: ApplicationResponse) => app.name, shrinkTo: 8 },
    { header: 'Created', cell: (app: ApplicationResponse) => at(app.created_at) },
  ],
};

const WITH_SECRET = {
  fields: [...FIELDS, 'app_secret'] as const,
  pairs: (app: ApplicationWithSecret) =>
    [
      ['App id', app.app_id],
      ['Name', app.name],
      ['App secret', app.app_secret],
    ] as const,
};

/** `healthctl apps list` */
async function listApps(cli: Cli): Promise<void> {
  cli.willWrite(SHAPE);
  const count = await writeRows(cli.sink, SHAPE, await allApps(cli));
  if (count === 0) cli.hint('No applications. Create one: healthctl apps create "My app"');
}

/** `healthctl apps create` */
async function createApp(cli: Cli, name: string): Promise<void> {
  cli.willWrite(WITH_SECRET);
  const client = await cli.client();
  await showOnce(cli, await client.call(createApplication, { body: { name }, signal: cli.signal }));
}

/** `healthctl apps rotate-secret` */
async function rotateSecret(cli: Cli, app: string): Promise<void> {
  cli.willWrite(WITH_SECRET);
  const params = { app_id: await appId(cli, app) };
  const client = await cli.client();
  await showOnce(cli, await client.call(rotateApplicationSecret, { params, signal: cli.signal }));
}

/** `healthctl apps delete` */
async function deleteApp(cli: Cli, app: string, { yes }: { yes?: boolean }): Promise<void> {
  cli.willWrite(SHAPE);
  const id = await appId(cli, app, yes);
  const named = (await allApps(cli)).find(({ app_id }) => app_id === id);
  if (!yes) {
    const name = named?.name ?? id;
    await confirmByTyping(cli, `The app ${name} can no longer get tokens for its users.`, name, 'delete');
  }
  const client = await cli.client();
  await client.call(deleteApplication, { params: { app_id: id }, signal: cli.signal });
  cli.say(`Deleted the application ${id}.`);
  if (named) await writeRecord(cli.sink, { fields: FIELDS }, named);
}

async function allApps(cli: Cli): Promise<ApplicationResponse[]> {
  return (await cli.client()).call(listApplications, { signal: cli.signal });
}

async function appId(cli: Cli, text: string, unasked?: boolean): Promise<string> {
  const apps = await allApps(cli);
  const choices = apps.map(({ id, app_id, name }) => ({ id: app_id, label: name, names: [name, id] }));
  return pickId(cli, 'app', text, choices, { unasked });
}

async function showOnce(cli: Cli, app: ApplicationWithSecret): Promise<void> {
  await writeRecord(cli.sink, WITH_SECRET, app);
  cli.hint('Copy the secret now; you cannot view it again. Keep it on your server, never in the app.');
}
