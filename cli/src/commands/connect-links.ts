import {
  type ConnectLanguage,
  createConnectLink,
  listConnectLinks,
  renewConnectLink,
  revokeConnectLink,
} from '@healthd/contract';
import type { ConnectLink, NewConnectLink } from '@healthd/schemas';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import type { FieldPath } from '../output/fields.js';
import { at } from '../output/instant.js';
import { writeRecord, writeRows } from '../output/writer.js';
import { pickId } from '../service/pick.js';
import { providerNamed } from '../service/provider-name.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { duration, list, userOption } from './values.js';

/** `connect-links create|list|renew|revoke` */
export function addConnectLinksCommands(program: Command, bind: Bind): void {
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
      .action(bind(createLink)),
    'healthctl connect-links create --user anna@example.org --providers google --expires 48h',
  );
  withExamples(
    links
      .command('list')
      .description('Lists the links of a user of the last 30 days, newest first, and what became of them.')
      .summary('list links')
      .addOption(userOption())
      .action(bind(listLinks)),
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
    .action(bind(renewLink));
  links
    .command('revoke')
    .description('Ends a link. Connections that were made with it stay.')
    .summary('end a link')
    .argument('<link>', 'id of the link or its beginning')
    .addOption(userOption())
    .action(bind(revokeLink));
}

const FIELDS = [
  'id',
  'user_id',
  'status',
  'providers',
  'redirect_uri',
  'opener_origin',
  'language',
  'created_at',
  'expires_at',
] as const satisfies FieldPath<ConnectLink>[];

const SHAPE = {
  fields: FIELDS,
  columns: [
    { header: 'ID', cell: (link: ConnectLink) => link.id, keep: true as const },
    { header: 'State', cell: (link: ConnectLink) => link.status },
    { header: 'Providers', cell: providersText, shrinkTo: 12 },
    { header: 'Good until', cell: (link: ConnectLink) => at(link.expires_at) },
  ],
};

const CREATED = {
  fields: [...FIELDS, 'url'] as const,
  pairs: (link: NewConnectLink) =>
    [
      ['ID', link.id],
      ['Link', link.url],
      ['Providers', providersText(link)],
      ['Good until', at(link.expires_at)],
    ] as const,
};

const SEND = 'Send the link to this person and to no one else. It is shown here and never again.';

interface OfUser {
  user: string;
}

interface CreateLinkOptions extends OfUser {
  providers?: string[];
  /** Seconds. */
  expires?: number;
  redirect?: string;
  opener?: string;
  language?: ConnectLanguage;
}

/** `healthctl connect-links create` */
async function createLink(cli: Cli, options: CreateLinkOptions): Promise<void> {
  cli.willWrite(CREATED);
  const client = await cli.client();
  const body = {
    providers: options.providers?.map(providerNamed),
    expires_in_minutes: options.expires === undefined ? undefined : Math.ceil(options.expires / 60),
    redirect_uri: options.redirect,
    opener_origin: options.opener,
    language: options.language,
  };
  const params = { user_id: options.user };
  await writeRecord(cli.sink, CREATED, await client.call(createConnectLink, { params, body, signal: cli.signal }));
  cli.hint(SEND);
}

/** `healthctl connect-links list` */
async function listLinks(cli: Cli, { user }: OfUser): Promise<void> {
  cli.willWrite(SHAPE);
  const count = await writeRows(cli.sink, SHAPE, await linksOf(cli, user));
  if (count === 0) cli.hint(`No links. Make one: healthctl connect-links create --user ${user}`);
}

/** `healthctl connect-links renew` */
async function renewLink(cli: Cli, link: string, { user }: OfUser): Promise<void> {
  cli.willWrite(CREATED);
  const params = { user_id: user, link_id: await pickLink(cli, link, user) };
  const client = await cli.client();
  await writeRecord(cli.sink, CREATED, await client.call(renewConnectLink, { params, signal: cli.signal }));
  cli.hint(`The old link has ended. ${SEND}`);
}

/** `healthctl connect-links revoke` */
async function revokeLink(cli: Cli, link: string, { user }: OfUser): Promise<void> {
  cli.willWrite(SHAPE);
  const id = await pickLink(cli, link, user);
  const client = await cli.client();
  await client.call(revokeConnectLink, { params: { user_id: user, link_id: id }, signal: cli.signal });
  cli.say('Ended: the link opens nothing any more. Connections that were made with it stay.');
  const revoked = (await linksOf(cli, user)).find((one) => one.id === id);
  if (revoked) await writeRecord(cli.sink, { fields: FIELDS }, revoked);
}

/** The id of a link of the user that was named by its beginning. */
async function pickLink(cli: Cli, link: string, user: string): Promise<string> {
  const links = (await linksOf(cli, user)).map((one) => ({ id: one.id, label: `${one.status} ${providersText(one)}` }));
  return pickId(cli, 'link', link, links);
}

async function linksOf(cli: Cli, user: string): Promise<ConnectLink[]> {
  const client = await cli.client();
  return (await client.call(listConnectLinks, { params: { user_id: user }, signal: cli.signal })).items;
}

function providersText({ providers }: ConnectLink): string {
  return providers
    .map(({ provider, outcome }) => (outcome === 'open' ? provider : `${provider} (${outcome})`))
    .join(', ');
}
