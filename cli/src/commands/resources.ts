import {
  acceptInvitation,
  changePassword,
  type ConnectLanguage,
  createApiKey,
  createApplication,
  createConnectLink,
  createInvitation,
  createInvitationCode,
  createUserToken,
  currentDeveloper,
  deleteApiKey,
  deleteApplication,
  deleteDeveloper,
  getDeveloper,
  type KeyScope,
  listApiKeys,
  listApplications,
  listConnectLinks,
  listDevelopers,
  listInvitations,
  redeemInvitationCode,
  renameApiKey,
  renewConnectLink,
  resendInvitation,
  revokeConnectLink,
  revokeInvitation,
  revokeToken,
  rotateApiKey,
  rotateApplicationSecret,
  type Scope,
  updateCurrentDeveloper,
  updateDeveloper,
} from '@healthd/contract';
import { MS_PER_SECOND } from '@healthd/model';
import type {
  ApiKeyResponse,
  ApplicationResponse,
  ApplicationWithSecret,
  ConnectLink,
  DeveloperResponse,
  InvitationCodeResponse,
  InvitationResponse,
  NewConnectLink,
  UserTokens,
} from '@healthd/schemas';
import { InvalidArgumentError, Option } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { at, Instant } from '../output/instant.js';
import { providerNamed } from '../service/provider-name.js';
import { durationText } from '../ui/amounts.js';
import { promptSecret, takeSecret } from '../ui/prompt.js';
import { Resource, recordShape } from './resource.js';
import { duration, list, userOption } from './values.js';

interface OfUser {
  user: string;
}

const SCOPES: KeyScope[] = ['read', 'write', 'push', 'assistant'];
const KEY_FIELDS = [
  'id',
  'name',
  'prefix',
  'last_four',
  'scopes',
  'created_by',
  'created_at',
  'last_used_at',
  'expires_at',
  'replaced_by',
] as const;

type CreatedKey = ApiKeyResponse & { key: string };

const CREATED_KEY = recordShape<CreatedKey>([...KEY_FIELDS, 'key'], {
  ID: ({ id }) => id,
  Name: ({ name }) => name,
  Key: ({ key }) => key,
  Scopes: scopesText,
  Expires: ({ expires_at }) => at(expires_at),
});
const COPY_KEY = 'Copy the key now. You cannot view it again.';

const KEYS = new Resource<ApiKeyResponse>(
  {
    name: 'keys',
    description: 'API keys that your servers use to call the service. Requires a developer login.',
    summary: 'list, create, rename, rotate and revoke API keys',
  },
  {
    noun: 'key',
    reference: 'id of the key or its prefix, its name or last four characters',
    fields: KEY_FIELDS,
    lines: [
      { header: 'ID', cell: ({ id }) => id, keep: true },
      { header: 'Name', cell: ({ name }) => name, shrinkTo: 8 },
      { header: 'Key', cell: maskedText },
      { header: 'Scopes', cell: scopesText },
      { header: 'Created', cell: ({ created_at }) => at(created_at), only: 'record' },
      { header: 'Last used', cell: ({ last_used_at }) => at(last_used_at) },
      { header: 'Expires', cell: ({ expires_at }) => at(expires_at) },
      { header: 'Replaced by', cell: ({ replaced_by }) => replaced_by?.slice(0, 8), only: 'table' },
      { header: 'Replaced by', cell: ({ replaced_by }) => replaced_by, only: 'record' },
    ],
    load: (call) => call(listApiKeys, {}),
    choice: (key) => ({ id: key.id, label: `${key.name} ${maskedText(key)}`, names: [key.name], mark: key.last_four }),
    completion: (key) => [key.id, `${key.name} ${maskedText(key)}`],
  },
);
KEYS.list({
  name: 'list',
  description: 'Lists API keys, newest first. The full keys are not stored, so they cannot be shown.',
  summary: 'list API keys',
  examples: ['healthctl keys list'],
})
  .create<CreatedKey, { name?: string; scopes?: Scope[]; expires?: string }>({
    name: 'create',
    description: 'Creates an API key and prints it. The key is shown only once.',
    summary: 'create an API key',
    options: [
      new Option('--name <name>', 'purpose of the key'),
      new Option('--scopes <names>', `scopes of the key: ${SCOPES.join(',')} (default: all)`).argParser(parseScopes),
      new Option('--expires <time>', 'expiry time, e.g. 2027-01-31T00:00:00Z (default: never)'),
    ],
    examples: ['healthctl keys create --name Backend --scopes read,write'],
    shape: CREATED_KEY,
    send: ({ call, options: { name, scopes, expires } }) =>
      call(createApiKey, { body: { name, scopes, expires_at: expires } }),
    after: ({ cli }) => cli.hint(COPY_KEY),
  })
  .change({
    name: 'rename',
    description: 'Renames an API key.',
    summary: 'rename an API key',
    arguments: [['<name>', 'the new name']],
    shape: KEYS.shape,
    send: ({ call, item, args: [name = ''] }) => call(renameApiKey, { params: { key_id: item.id }, body: { name } }),
  })
  .change<CreatedKey, { grace?: number }>({
    name: 'rotate',
    description:
      'Replaces an API key with a new one that has the same name, scopes and expiry, and prints it. The key is shown only once.',
    summary: 'replace an API key with a new one',
    options: [
      new Option('--grace <time>', 'how long the old key still works, e.g. 2h, at most 720h (default: 0)').argParser(
        duration,
      ),
    ],
    examples: ['healthctl keys rotate Backend'],
    shape: CREATED_KEY,
    send: ({ call, item, options: { grace } }) =>
      call(rotateApiKey, { params: { key_id: item.id }, body: { grace_seconds: grace } }),
    after: ({ cli, options: { grace } }, successor) => {
      cli.hint(COPY_KEY);
      if (!grace) return cli.say('The old key no longer works.');
      cli.say(`The old key works until ${new Instant(oldKeyEnd(successor, grace)).text(cli.options.utc)}.`);
    },
  })
  .end({
    name: 'revoke',
    description: 'Revokes an API key. Asks you to type its name first.',
    summary: 'revoke an API key',
    examples: ['healthctl keys revoke Backend --yes'],
    confirmation: {
      verb: 'revoke',
      answer: ({ id, name }) => name || id,
      consequence: (name) => `The service will reject every call with the key ${name}.`,
    },
    send: ({ call, item }) => call(deleteApiKey, { params: { key_id: item.id } }),
    done: (revoked) => `Revoked ${maskedText(revoked)}.`,
    ended: (revoked) => revoked,
  });

function parseScopes(text: string): KeyScope[] {
  const named = list(text);
  const wrong = named.find((name) => !SCOPES.some((scope) => scope === name));
  if (wrong !== undefined) throw new InvalidArgumentError(`Unknown scope ${wrong}. Use ${SCOPES.join(', ')}.`);
  return named as KeyScope[];
}

function maskedText({ prefix, last_four }: ApiKeyResponse): string {
  return `${prefix}…${last_four}`;
}

function scopesText({ scopes }: ApiKeyResponse): string {
  return scopes?.join(' ') ?? 'everything';
}

/**
 * Returns when the old key of a rotation expires: after the grace period, but no later than the old key's own expiry.
 * The new key inherits this expiry.
 */
export function oldKeyEnd(
  { created_at, expires_at }: Pick<ApiKeyResponse, 'created_at' | 'expires_at'>,
  graceSeconds: number,
): string {
  const graceEndMs = Date.parse(created_at) + graceSeconds * MS_PER_SECOND;
  return new Date(expires_at ? Math.min(graceEndMs, Date.parse(expires_at)) : graceEndMs).toISOString();
}

const APP_FIELDS = ['id', 'app_id', 'name', 'created_at'] as const;
const APP_WITH_SECRET = recordShape<ApplicationWithSecret>([...APP_FIELDS, 'app_secret'], {
  'App id': ({ app_id }) => app_id,
  Name: ({ name }) => name,
  'App secret': ({ app_secret }) => app_secret,
});
const showSecretOnce = ({ cli }: { cli: Cli }) =>
  cli.hint('Copy the secret now; you cannot view it again. Keep it on your server, never in the app.');

const APPS = new Resource<ApplicationResponse>(
  {
    name: 'apps',
    description: 'Applications: their servers get tokens that phones use to push data. Requires a developer login.',
    summary: 'list, create and delete applications, rotate their secrets',
  },
  {
    noun: 'app',
    reference: 'app id or its prefix, or the name',
    fields: APP_FIELDS,
    lines: [
      { header: 'App id', cell: ({ app_id }) => app_id, keep: true },
      { header: 'Name', cell: ({ name }) => name, shrinkTo: 8 },
      { header: 'Created', cell: ({ created_at }) => at(created_at) },
    ],
    load: (call) => call(listApplications, {}),
    choice: ({ id, app_id, name }) => ({ id: app_id, label: name, names: [name, id] }),
    completion: ({ app_id, name }) => [app_id, name],
  },
)
  .list({
    name: 'list',
    description: 'Lists applications, newest first.',
    summary: 'list applications',
    examples: ['healthctl apps list'],
    none: () => 'No applications. Create one: healthctl apps create "My app"',
  })
  .create({
    name: 'create',
    description: 'Creates an application and prints its secret. The secret is shown only once.',
    summary: 'create an application',
    arguments: [['<name>', 'name of the application']],
    examples: ['healthctl apps create Diary'],
    shape: APP_WITH_SECRET,
    send: ({ call, args: [name = ''] }) => call(createApplication, { body: { name } }),
    after: showSecretOnce,
  })
  .change({
    name: 'rotate-secret',
    description: 'Replaces the secret of an application and prints the new one. The old secret stops working.',
    summary: 'replace the secret of an application',
    shape: APP_WITH_SECRET,
    send: ({ call, item }) => call(rotateApplicationSecret, { params: { app_id: item.app_id } }),
    after: showSecretOnce,
  })
  .end({
    name: 'delete',
    description: 'Deletes an application. Asks you to type its name first.',
    summary: 'delete an application',
    confirmation: {
      verb: 'delete',
      answer: ({ name }) => name,
      consequence: (name) => `The app ${name} can no longer get tokens for its users.`,
    },
    send: ({ call, item }) => call(deleteApplication, { params: { app_id: item.app_id } }),
    done: (_, { app_id }) => `Deleted the application ${app_id}.`,
    ended: (_, { item }) => item,
  });

interface DeveloperOptions {
  email?: string;
  firstName?: string;
  lastName?: string;
}

const ENTER_PASSWORD = 'Run this in a terminal to enter the password. A password is never a command-line argument.';

const DEVELOPERS = new Resource<DeveloperResponse>(
  {
    name: 'developers',
    description: 'Developer accounts of the service. Requires a developer login.',
    summary: 'list, show, update and delete developer accounts',
  },
  {
    noun: 'developer',
    reference: 'id of the developer or its prefix, or the email',
    fields: ['id', 'first_name', 'last_name', 'email', 'created_at', 'updated_at'],
    lines: [
      { header: 'ID', cell: ({ id }) => id, keep: true },
      { header: 'Email', cell: ({ email }) => email, shrinkTo: 12 },
      {
        header: 'Name',
        cell: ({ first_name, last_name }) => [first_name, last_name].filter(Boolean).join(' '),
        shrinkTo: 8,
      },
      { header: 'Created', cell: ({ created_at }) => at(created_at) },
      { header: 'Updated', cell: ({ updated_at }) => at(updated_at), only: 'record' },
    ],
    load: (call) => call(listDevelopers, {}),
    choice: ({ id, email }) => ({ id, label: email, names: [email] }),
    completion: ({ id, email }) => [email, id],
  },
);
DEVELOPERS.list({ name: 'list', description: 'Lists developers.', summary: 'list developers' })
  .changeOrOwn({
    name: 'show',
    description: 'Shows one developer. Without an argument, shows your own account.',
    summary: 'show one developer',
    shape: DEVELOPERS.shape,
    send: ({ call, item }) =>
      item ? call(getDeveloper, { params: { developer_id: item.id } }) : call(currentDeveloper, {}),
  })
  .changeOrOwn<DeveloperResponse, DeveloperOptions>({
    name: 'update',
    description:
      'Updates a developer. Without an argument, updates your own account. To change your own email, enter your password at the prompt.',
    summary: 'update a developer',
    options: [
      new Option('--email <address>', 'email of the developer, used to log in'),
      new Option('--first-name <name>', 'first name'),
      new Option('--last-name <name>', 'last name'),
    ],
    shape: DEVELOPERS.shape,
    check: ({ email, firstName, lastName }) => {
      if (email !== undefined || firstName !== undefined || lastName !== undefined) return;
      throw new CliError('nothing_to_set', 'Pass --email, --first-name or --last-name.', { exitCode: EXIT.usage });
    },
    send: async ({ cli, call, item, options: { email, firstName, lastName } }) => {
      const fields = { email, first_name: firstName, last_name: lastName };
      if (item) return call(updateDeveloper, { params: { developer_id: item.id }, body: fields });
      await cli.client(); // Fails before the prompt if no service is configured.
      const current_password =
        email === undefined ? undefined : await promptSecret(cli.terminal, 'Password', ENTER_PASSWORD);
      return call(updateCurrentDeveloper, { body: { ...fields, current_password } });
    },
  })
  .create({
    name: 'password',
    description: 'Changes your password. Prompts for the old and the new password, and ends your other logins.',
    summary: 'change your password',
    send: async ({ cli: { terminal }, call }) => {
      const current_password = await promptSecret(terminal, 'Current password', ENTER_PASSWORD);
      const new_password = await promptSecret(terminal, 'New password', ENTER_PASSWORD);
      const confirm_password = await promptSecret(terminal, 'New password again', ENTER_PASSWORD);
      return call(changePassword, { body: { current_password, new_password, confirm_password } });
    },
    after: ({ cli }, { message }) => {
      cli.say(message);
      cli.hint('Log in again: healthctl login');
    },
  })
  .end({
    name: 'delete',
    description: 'Deletes an account. Asks you to type its email first.',
    summary: 'delete an account',
    confirmation: {
      verb: 'delete',
      answer: ({ email }) => email,
      consequence: (email) => `This deletes the account ${email} and ends its logins.`,
    },
    send: ({ call, item }) => call(deleteDeveloper, { params: { developer_id: item.id } }),
    done: ({ email }) => `Deleted the account ${email}.`,
    ended: (deleted) => deleted,
  });

const ENTER_TOKEN =
  'Run this in a terminal to enter the token and the password. Secrets are never command-line arguments.';

async function showToken({ cli }: { cli: Cli }, { token }: InvitationResponse): Promise<void> {
  if (token === null) return;
  const { url } = await cli.connection();
  cli.say(
    `No email is sent. Send the token to the developer, who accepts it with: healthctl invitations accept --url ${url}`,
  );
}

const INVITATIONS = new Resource<InvitationResponse>(
  {
    name: 'invitations',
    description: 'Invitations for new developers. Requires a developer login, except to accept an invitation.',
    summary: 'invite new developers',
  },
  {
    noun: 'invitation',
    reference: 'id of the invitation or its prefix, or the email',
    fields: ['id', 'email', 'token', 'status', 'expires_at', 'created_at', 'invited_by_id'],
    lines: [
      { header: 'ID', cell: ({ id }) => id, keep: true },
      { header: 'Email', cell: ({ email }) => email, shrinkTo: 12 },
      { header: 'State', cell: ({ status }) => status },
      { header: 'Token', cell: ({ token }) => token, only: 'record' },
      { header: 'Expires', cell: ({ expires_at }) => at(expires_at) },
    ],
    load: (call) => call(listInvitations, {}),
    choice: ({ id, email, status }) => ({ id, label: `${email} ${status}`, names: [email] }),
    completion: ({ id, email, status }) => [email, `${status} ${id}`],
  },
);
INVITATIONS.list({
  name: 'list',
  description: 'Lists invitations, newest first.',
  summary: 'list invitations',
  none: () => 'No open invitations. Invite a developer: healthctl invitations create ada@example.org',
})
  .create({
    name: 'create',
    description: 'Invites a developer and prints the invitation token. No email is sent: send the token yourself.',
    summary: 'invite a developer',
    arguments: [['<email>', 'email of the new developer']],
    examples: ['healthctl invitations create grace@example.org'],
    shape: INVITATIONS.shape,
    send: ({ call, args: [email = ''] }) => call(createInvitation, { body: { email } }),
    after: showToken,
  })
  .change({
    name: 'resend',
    description: 'Creates a new token for an invitation. The old token stops working.',
    summary: 'create a new token',
    shape: INVITATIONS.shape,
    send: ({ call, item }) => call(resendInvitation, { params: { invitation_id: item.id } }),
    after: showToken,
  })
  .end({
    name: 'revoke',
    description: 'Revokes a pending invitation.',
    summary: 'revoke an invitation',
    send: ({ call, item }) => call(revokeInvitation, { params: { invitation_id: item.id } }),
    done: ({ email }) => `Revoked the invitation for ${email}.`,
    ended: (revoked) => revoked,
  })
  .create<DeveloperResponse, { firstName: string; lastName: string }>({
    name: 'accept',
    description:
      'Accepts an invitation: prompts for its token and a password, and creates the account. Requires no login.',
    summary: 'accept an invitation',
    options: [
      new Option('--first-name <name>', 'your first name').makeOptionMandatory(),
      new Option('--last-name <name>', 'your last name').makeOptionMandatory(),
    ],
    shape: recordShape<DeveloperResponse>(['id', 'email', 'first_name', 'last_name'], {
      ID: ({ id }) => id,
      Email: ({ email }) => email,
    }),
    send: async ({ cli: { terminal }, call, options: { firstName, lastName } }) => {
      const token = await promptSecret(terminal, 'Invitation token', ENTER_TOKEN);
      const password = await promptSecret(terminal, 'New password', ENTER_TOKEN);
      const body = { token: token.trim(), first_name: firstName, last_name: lastName, password };
      return call(acceptInvitation, { body });
    },
    after: ({ cli }) => cli.hint('Next: healthctl login'),
  });

type Tokens = Omit<UserTokens, 'user_id'>;

const TOKEN_FIELDS = ['access_token', 'token_type', 'refresh_token', 'expires_in'] as const;
const TOKEN_LINES = {
  'Access token': ({ access_token }: Tokens) => access_token,
  'Expires in': ({ expires_in }: Tokens) => durationText(expires_in),
  'Refresh token': ({ refresh_token }: Tokens) => refresh_token,
};

const TOKENS = new Resource({
  name: 'tokens',
  description: 'Tokens and codes that let a user’s phone push data.',
  summary: 'tokens and codes for phones that push',
})
  .create<Tokens, OfUser & { app?: string }>({
    name: 'create',
    description:
      'Creates tokens that let a device push data of one user. Requires a developer login, or the app id and secret of an application.',
    summary: 'create tokens for a user',
    options: [
      userOption(),
      new Option('--app <app_id>', 'act as this application; prompts for its secret, or reads it from stdin'),
    ],
    shape: recordShape<Tokens>(TOKEN_FIELDS, TOKEN_LINES),
    send: async ({ cli, call, options: { user, app } }) => {
      const body =
        app === undefined ? undefined : { app_id: app, app_secret: await takeSecret(cli.terminal, 'App secret') };
      return call(createUserToken, { params: { user_id: user }, body });
    },
    after: ({ cli }) => cli.hint('The access token is only valid for this user’s /sdk/ routes.'),
  })
  .create<InvitationCodeResponse, OfUser>({
    name: 'code',
    description:
      'Creates an eight-character code that a user enters in the app. It expires after 7 days. Earlier codes of the user stop working. Requires a developer login.',
    summary: 'create a code that a user enters in the app',
    options: [userOption()],
    examples: ['healthctl tokens code --user anna@example.org'],
    shape: recordShape<InvitationCodeResponse>(['id', 'code', 'user_id', 'expires_at', 'created_at'], {
      Code: ({ code }) => code,
      Expires: ({ expires_at }) => at(expires_at),
    }),
    send: ({ call, options: { user } }) => call(createInvitationCode, { params: { user_id: user } }),
  })
  .create({
    name: 'redeem',
    description:
      'Exchanges a code for the user’s tokens, as the app does. The code works only once. Requires no login.',
    summary: 'exchange a code for tokens, as the app does',
    arguments: [['<code>', 'the code; ignores case, spaces and dashes']],
    shape: recordShape<UserTokens>(['user_id', ...TOKEN_FIELDS], { User: ({ user_id }) => user_id, ...TOKEN_LINES }),
    send: ({ call, args: [code = ''] }) => call(redeemInvitationCode, { body: { code } }),
  })
  .create({
    name: 'revoke',
    description:
      'Revokes a refresh token and its login. Prompts for the token, or reads it from stdin. Requires no login.',
    summary: 'revoke a refresh token and its login',
    send: async ({ cli, call }) =>
      call(revokeToken, { body: { refresh_token: await takeSecret(cli.terminal, 'Refresh token') } }),
    after: ({ cli }) => cli.say('Revoked the refresh token and its login.'),
  });

const LINK_FIELDS = [
  'id',
  'user_id',
  'status',
  'providers',
  'redirect_uri',
  'opener_origin',
  'language',
  'created_at',
  'expires_at',
] as const;
const CREATED_LINK = recordShape<NewConnectLink>([...LINK_FIELDS, 'url'], {
  ID: ({ id }) => id,
  Link: ({ url }) => url,
  Providers: providersText,
  Expires: ({ expires_at }) => at(expires_at),
});
const SEND_LINK = 'Send the link only to this user. You cannot view it again.';
const LANGUAGES = ['en', 'de'] satisfies ConnectLanguage[];

interface CreateLinkOptions extends OfUser {
  providers?: string[];
  /** Seconds. */
  expires?: number;
  redirect?: string;
  opener?: string;
  language?: ConnectLanguage;
}

const CONNECT_LINKS = new Resource<ConnectLink>(
  {
    name: 'connect-links',
    description: 'Links that let a user connect providers without a login.',
    summary: 'links that let users connect providers without a login',
  },
  {
    noun: 'link',
    reference: 'id of the link or its prefix',
    fields: LINK_FIELDS,
    lines: [
      { header: 'ID', cell: ({ id }) => id, keep: true },
      { header: 'State', cell: ({ status }) => status },
      { header: 'Providers', cell: providersText, shrinkTo: 12 },
      { header: 'Expires', cell: ({ expires_at }) => at(expires_at) },
    ],
    load: async (call, user) => (await call(listConnectLinks, { params: { user_id: user } })).items,
    choice: (link) => ({ id: link.id, label: `${link.status} ${providersText(link)}` }),
  },
)
  .create<NewConnectLink, CreateLinkOptions>({
    name: 'create',
    description: 'Creates a link and prints it. The link is shown only once. Send it only to its user.',
    summary: 'create a link',
    options: [
      userOption(),
      new Option(
        '--providers <names>',
        'providers on the page, e.g. google,whoop (default: all available providers)',
      ).argParser(list),
      new Option('--expires <time>', 'lifetime of the link, from 5m to 168h (default: 24h)').argParser(duration),
      new Option(
        '--redirect <address>',
        'URL to redirect the user to when done; OAUTH_REDIRECT_ALLOWLIST must allow it',
      ),
      new Option('--opener <origin>', 'origin of the page that opens the link in a window and receives the outcome'),
      new Option('--language <code>', 'language of the page (default: the browser’s language)').choices(LANGUAGES),
    ],
    examples: ['healthctl connect-links create --user anna@example.org --providers google --expires 48h'],
    shape: CREATED_LINK,
    send: ({ call, options }) =>
      call(createConnectLink, {
        params: { user_id: options.user },
        body: {
          providers: options.providers?.map(providerNamed),
          expires_in_minutes: options.expires === undefined ? undefined : Math.ceil(options.expires / 60),
          redirect_uri: options.redirect,
          opener_origin: options.opener,
          language: options.language,
        },
      }),
    after: ({ cli }) => cli.hint(SEND_LINK),
  })
  .list({
    name: 'list',
    description: 'Lists a user’s links of the last 30 days with their outcomes, newest first.',
    summary: 'list links',
    options: [userOption()],
    examples: ['healthctl connect-links list --user anna@example.org'],
    none: (user) => `No links. Create one: healthctl connect-links create --user ${user}`,
  })
  .change<NewConnectLink, OfUser>({
    name: 'renew',
    description:
      'Replaces a link with a new one that has the same providers, redirect and language, and prints it. The link is shown only once. The old link stops working.',
    summary: 'replace a link with a new one',
    options: [userOption()],
    shape: CREATED_LINK,
    send: ({ call, item, options: { user } }) =>
      call(renewConnectLink, { params: { user_id: user, link_id: item.id } }),
    after: ({ cli }) => cli.hint(`The old link no longer works. ${SEND_LINK}`),
  })
  .end<void, OfUser>({
    name: 'revoke',
    description: 'Revokes a link. Connections that it created stay active.',
    summary: 'revoke a link',
    options: [userOption()],
    send: async ({ call, item, options: { user } }) => {
      await call(revokeConnectLink, { params: { user_id: user, link_id: item.id } });
    },
    done: () => 'Revoked the link. Connections that it created stay active.',
    ended: async (_, { call, item, options: { user } }) => {
      const { items } = await call(listConnectLinks, { params: { user_id: user } });
      return items.find(({ id }) => id === item.id);
    },
  });

function providersText({ providers }: ConnectLink): string {
  return providers
    .map(({ provider, outcome }) => (outcome === 'open' ? provider : `${provider} (${outcome})`))
    .join(', ');
}

/** All resources by command name. */
export const RESOURCES = {
  'connect-links': CONNECT_LINKS,
  keys: KEYS,
  apps: APPS,
  tokens: TOKENS,
  developers: DEVELOPERS,
  invitations: INVITATIONS,
};

/** Returns shell completions of the objects that an argument names, e.g. `key`. */
export async function completionsOf(cli: Cli, noun: string): Promise<(readonly [value: string, about: string])[]> {
  const resource = Object.values(RESOURCES).find((one) => one.noun === noun);
  return (await resource?.completions(cli)) ?? [];
}
