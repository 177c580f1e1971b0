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
    .description('Links that let a user connect providers without a login.')
    .summary('links that let users connect providers without a login');
  withExamples(
    links
      .command('create')
      .description('Creates a link and prints it. The link is shown only once. Send it only to its user.')
      .summary('create a link')
      .addOption(userOption())
      .option(
        '--providers <names>',
        'providers on the page, e.g. google,whoop (default: all available providers)',
        list,
      )
      .option('--expires <time>', 'lifetime of the link, from 5m to 168h (default: 24h)', duration)
      .option('--redirect <address>', 'URL to redirect the user to when done; OAUTH_REDIRECT_ALLOWLIST must allow it')
      .option('--opener <origin>', 'origin of the page that opens the link in a window and receives the outcome')
      .addOption(
        new Option('--language <code>', 'language of the page (default: the browser’s language)').choices([
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
      .description('Lists a user’s links of the last 30 days with their outcomes, newest first.')
      .summary('list links')
      .addOption(userOption())
      .action(bind(listLinks)),
    'healthctl connect-links list --user anna@example.org',
  );
  links
    .command('renew')
    .description(
      'Replaces a link with a new one that has the same providers, redirect and language, and prints it. The link is shown only once. The old link stops working.',
    )
    .summary('replace a link with a new one')
    .argument('<link>', 'id of the link or its prefix')
    .addOption(userOption())
    .action(bind(renewLink));
  links
    .command('revoke')
    .description('Revokes a link. Connections that it created stay active.')
    .summary('revoke a link')
    .argument('<link>', 'id of the link or its prefix')
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
    { header: 'Expires', cell: (link: ConnectLink) => at(link.expires_at) },
  ],
};

const CREATED = {
  fields: [...FIELDS, 'url'] as const,
  pairs: (link: NewConnectLink) =>
    [
      ['ID', link.id],
      ['Link', link.url],
      ['Providers', providersText(link)],
      ['Expires', at(link.expires_at)],
    ] as const,
};

const SEND = 'Send the link only to this user. You cannot view it again.';

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
  if (count === 0) cli.hint(`No links. Create one: healthctl connect-links create --user ${user}`);
}

/** `healthctl connect-links renew` */
async function renewLink(cli: Cli, link: string, { user }: OfUser): Promise<void> {
  cli.willWrite(CREATED);
  const params = { user_id: user, link_id: await pickLink(cli, link, user) };
  const client = await cli.client();
  await writeRecord(cli.sink, CREATED, await client.call(renewConnectLink, { params, signal: cli.signal }));
  cli.hint(`The old link no longer works. ${SEND}`);
}

/** `healthctl connect-links revoke` */
async function revokeLink(cli: Cli, link: string, { user }: OfUser): Promise<void> {
  cli.willWrite(SHAPE);
  const id = await pickLink(cli, link, user);
  const client = await cli.client();
  await client.call(revokeConnectLink, { params: { user_id: user, link_id: id }, signal: cli.signal });
  cli.say('Revoked the link. Connections that it created stay active.');
  const revoked = (await linksOf(cli, user)).find((one) => one.id === id);
  if (revoked) await writeRecord(cli.sink, { fields: FIELDS }, revoked);
}

/** Resolves an id prefix to a link of the user. */
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
