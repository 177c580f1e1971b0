import { ApiError, type HealthdClient } from '@healthd/client';
import { currentDeveloper, listUsers, login as loginRoute, logout as logoutRoute } from '@healthd/contract';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError, failureOf } from '../failure.js';
import { Outcome } from '../outcome.js';
import { NO_FIELDS } from '../output/fields.js';
import { type RecordShape, writeRecord } from '../output/writer.js';
import { type Connection, DEFAULT_URL, isSameService, normalizeUrl } from '../profile/connection.js';
import { type Profile, profilePath, readProfile, type StoredContext, updateProfile } from '../profile/profile-file.js';
import { findProjectFile } from '../profile/project-file.js';
import { clientFor, DEFAULT_API_KEY_HEADER, exchange } from '../service/session.js';
import { promptSecret, promptText, takeSecret } from '../ui/prompt.js';
import type { Bind } from './bind.js';

/** `login`, `logout`, `whoami` */
export function addAccountCommands(program: Command, bind: Bind): void {
  program
    .command('login')
    .summary('store a login for a service')
    .description(
      'Logs in with email and password, or with a secret from a prompt or stdin. Stores the credential in the profile, a file that only you can read. Secrets are never command-line arguments.',
    )
    .option('--email <address>', 'email of the developer account')
    .option('--with-token', 'prompt for an API key (sk-…) or a refresh token (rt-…), or read it from stdin')
    .option('--api-key-stdin', 'prompt for an API key (sk-…), or read it from stdin')
    .addHelpText(
      'after',
      '\nExamples:\n  healthctl login --url https://health.example.org\n  healthctl login --with-token < key.txt\n',
    )
    .action(bind(login));
  program
    .command('logout')
    .description('Logs out of the service and removes the stored credentials of the context.')
    .summary('log out and remove the stored credentials')
    .action(bind(logout));
  program
    .command('whoami')
    .description('Shows the service URL, where the URL comes from, and the credential.')
    .summary('show the service and the credential in use')
    .action(bind(whoami));
}

interface LoginOptions {
  email?: string;
  withToken?: boolean;
  apiKeyStdin?: boolean;
}

/** Credentials that a login adds to a context. */
type Gained = Pick<StoredContext, 'api_key' | 'refresh_token' | 'developer_email'>;

const LOGGED_IN = { fields: ['context', 'url', 'email'] as const };

/** `healthctl login` */
async function login(cli: Cli, options: LoginOptions): Promise<void> {
  cli.willWrite(LOGGED_IN);
  const path = profilePath(cli.env);
  const profile = await readProfile(path);
  const target = await targetOf(cli, profile);
  const known = profile.contexts[target.name];
  const gained =
    options.withToken || options.apiKeyStdin
      ? await fromStdin(cli, target.url, options, known?.api_key_header)
      : await withPassword(cli, target.url, options.email ?? known?.developer_email, options.email === undefined);
  await updateProfile(path, (newest) => ({
    ...newest,
    current: target.name,
    contexts: { ...newest.contexts, [target.name]: { ...newest.contexts[target.name], ...gained, url: target.url } },
  }));
  const who = gained.developer_email ?? 'the owner of the API key';
  cli.say(
    `Logged in to ${target.url} as ${who}. Stored context ${target.name} in ${path}, readable only by you. It is now the current context.`,
  );
  const record = { context: target.name, url: target.url, email: gained.developer_email ?? null };
  await writeRecord(cli.sink, LOGGED_IN, record);
  cli.hint('Next: healthctl doctor');
}

/** Selects the context to write. A new URL gets a context named after its host, unless --context is set. */
async function targetOf(cli: Cli, profile: Profile): Promise<{ name: string; url: string }> {
  const project = await findProjectFile(process.cwd());
  const { context } = cli.options;
  const stored = context ?? project?.context ?? profile.current;
  const storedUrl = stored === undefined ? undefined : profile.contexts[stored]?.url;
  const address =
    cli.options.url ?? (context ? storedUrl : undefined) ?? cli.env.HEALTHCTL_URL ?? project?.url ?? storedUrl;
  const url = normalizeUrl(address ?? DEFAULT_URL);
  if (context) return { name: context, url };
  const sameUrl = Object.entries(profile.contexts).find(([, { url: known }]) => isSameService(known, url))?.[0];
  return { name: sameUrl ?? (url === DEFAULT_URL ? 'local' : new URL(url).host), url };
}

async function withPassword(cli: Cli, url: string, email: string | undefined, request: boolean): Promise<Gained> {
  const instead = 'Pass an API key instead: healthctl login --with-token < key.txt, or set HEALTHCTL_TOKEN.';
  const username = request ? await promptText(cli.terminal, 'Email', instead, email) : (email ?? '');
  const password = await promptSecret(cli.terminal, 'Password', instead);
  const client = clientFor(cli, url, async () => ({}));
  const tokens = await client.call(loginRoute, { body: { username, password }, signal: cli.signal }).catch(rejectLogin);
  return { refresh_token: tokens.refresh_token, developer_email: username };
}

/** Rejects a wrong email or password without the usual hint to log in. Rethrows other errors. */
function rejectLogin(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 401) throw error;
  throw new CliError('not_authenticated', error.message, {
    hint: 'Check the email, the password and the service URL.',
    exitCode: EXIT.denied,
    cause: error,
  });
}

/** Tries the secret before storing it. */
async function fromStdin(cli: Cli, url: string, options: LoginOptions, header?: string): Promise<Gained> {
  const secret = await takeSecret(cli.terminal, options.apiKeyStdin ? 'API key' : 'API key or refresh token');
  if (secret.startsWith('sk-')) {
    const client = clientFor(cli, url, async () => ({ [header ?? DEFAULT_API_KEY_HEADER]: secret }));
    await client.call(listUsers, { query: { limit: 1 }, signal: cli.signal });
    return { api_key: secret };
  }
  if (options.apiKeyStdin || !secret.startsWith('rt-')) {
    throw new CliError(
      'secret_unknown',
      `The input is not an ${options.apiKeyStdin ? 'API key' : 'API key or refresh token'}.`,
      {
        hint: 'API keys start with sk-, refresh tokens with rt-. Access tokens are short-lived: pass one in HEALTHCTL_TOKEN.',
        exitCode: EXIT.usage,
      },
    );
  }
  const tokens = await exchange(cli, url, secret);
  const client: HealthdClient = clientFor(cli, url, async () => ({ Authorization: `Bearer ${tokens.access_token}` }));
  const developer = await client.call(currentDeveloper, { signal: cli.signal });
  return { refresh_token: tokens.refresh_token, developer_email: developer.email };
}

/** `healthctl logout` */
async function logout(cli: Cli): Promise<void> {
  cli.willWrite(NO_FIELDS);
  const { contextName, stored } = await cli.connection();
  if (contextName === undefined || (!stored?.api_key && !stored?.refresh_token)) {
    cli.say('No credential is stored for this service.');
    return;
  }
  if (stored.refresh_token) await endAtService(cli);
  await updateProfile(profilePath(cli.env), (profile) => {
    const { url, developer_email } = profile.contexts[contextName] ?? stored;
    return { ...profile, contexts: { ...profile.contexts, [contextName]: { url, developer_email } } };
  });
  cli.say(`Logged out of ${stored.url} and removed the credentials of context ${contextName}.`);
  if (stored.api_key) cli.say('The API key still works elsewhere until it is revoked.');
}

/** Ends the login at the service if it is reachable. The stored credentials are removed in any case. */
async function endAtService(cli: Cli): Promise<void> {
  try {
    const client = await cli.client();
    await client.call(logoutRoute, { signal: cli.signal });
  } catch {
    cli.warn('Cannot reach the service to end the login. The login expires there if it is not used.');
  }
}

/** Output of `whoami`. Shows only the last four characters of secrets. */
interface Identity {
  url: string;
  url_from: string;
  context: string | null;
  developer: string | null;
  api_key: string | null;
  /** True if the service accepts the credential. */
  accepted: boolean;
}

const SHAPE = {
  fields: ['url', 'url_from', 'context', 'developer', 'api_key', 'accepted'],
  pairs: (who: Identity) =>
    [
      ['Service', `${who.url} (${who.url_from})`],
      ['Context', who.context],
      ['Developer', who.developer],
      ['API key', who.api_key],
      ['Accepted', who.accepted ? 'yes' : 'no'],
    ] as const,
} satisfies RecordShape<Identity>;

/** `healthctl whoami` */
async function whoami(cli: Cli): Promise<void> {
  cli.willWrite(SHAPE);
  const connection = await cli.connection();
  const developer = await developerOf(cli, connection);
  const key = keyOf(connection);
  const keyAccepted = key === undefined ? undefined : await accepts(cli);
  const identity: Identity = {
    url: connection.url,
    url_from: connection.urlOrigin,
    context: connection.contextName ?? null,
    developer: developer ?? null,
    api_key: key ? `sk-…${key.slice(-4)}` : null,
    accepted: keyAccepted ?? developer !== undefined,
  };
  await writeRecord(cli.sink, SHAPE, identity);
  if (identity.accepted) return;
  cli.insist('Not logged in. Run `healthctl login`.');
  throw new Outcome(EXIT.denied);
}

function keyOf({ token, stored }: Connection): string | undefined {
  if (token) return token.startsWith('sk-') ? token : undefined;
  return stored?.api_key;
}

/** Returns the developer's email. Undefined without a developer login. */
async function developerOf(cli: Cli, { token, stored }: Connection): Promise<string | undefined> {
  const hasLogin = token ? !token.startsWith('sk-') : stored?.refresh_token !== undefined;
  if (!hasLogin) return undefined;
  return unlessDenied(async () => (await (await cli.client()).call(currentDeveloper, { signal: cli.signal })).email);
}

async function accepts(cli: Cli): Promise<boolean> {
  const response = await unlessDenied(async () => (await cli.client()).call(listUsers, { query: { limit: 1 } }));
  return response !== undefined;
}

async function unlessDenied<T>(request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (failureOf(error).exitCode === EXIT.denied) return undefined;
    throw error;
  }
}
