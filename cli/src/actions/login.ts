import { ApiError, type HealthdClient } from '@healthd/client';
import { currentDeveloper, listUsers, login as loginRoute } from '@healthd/contract';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { writeRecord } from '../output/writer.js';
import { DEFAULT_URL, isSameService, normalizeUrl } from '../profile/connection.js';
import { type Profile, profilePath, readProfile, type StoredContext, updateProfile } from '../profile/profile-file.js';
import { findProjectFile } from '../profile/project-file.js';
import { clientFor, DEFAULT_API_KEY_HEADER, exchange } from '../service/session.js';
import { askSecret, askText, takeSecret } from '../ui/prompt.js';

export interface LoginOptions {
  email?: string;
  withToken?: boolean;
  apiKeyStdin?: boolean;
}

/** What a login adds to a context. */
type Gained = Pick<StoredContext, 'api_key' | 'refresh_token' | 'developer_email'>;

const LOGGED_IN = { fields: ['context', 'url', 'email'] as const };

/** `healthctl login` */
export async function login(cli: Cli, options: LoginOptions): Promise<void> {
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
  const who = gained.developer_email ?? 'the holder of the API key';
  cli.say(
    `Logged in to ${target.url} as ${who}. Stored in ${path}, readable only by you, as the context ${target.name}, which is used from now on.`,
  );
  const record = { context: target.name, url: target.url, email: gained.developer_email ?? null };
  await writeRecord(cli.sink, LOGGED_IN, record);
  cli.hint('Next: healthctl doctor');
}

/** Which context is written. A new address gets a context named after its host unless --context names one. */
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

async function withPassword(cli: Cli, url: string, email: string | undefined, ask: boolean): Promise<Gained> {
  const instead = 'Pass an API key instead: healthctl login --with-token < key.txt, or set HEALTHCTL_TOKEN.';
  const username = ask ? await askText(cli.terminal, 'Email', instead, email) : (email ?? '');
  const password = await askSecret(cli.terminal, 'Password', instead);
  const client = clientFor(cli, url, async () => ({}));
  const tokens = await client.call(loginRoute, { body: { username, password }, signal: cli.signal }).catch(refused);
  return { refresh_token: tokens.refresh_token, developer_email: username };
}

/** The usual hint of a refused call, to log in, is of no use here. */
function refused(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 401) throw error;
  throw new CliError('not_authenticated', error.message, {
    hint: 'Check the email, the password and the address of the service.',
    exitCode: EXIT.denied,
    cause: error,
  });
}

/** The secret is tried before it is stored. */
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
      `That is no ${options.apiKeyStdin ? 'API key' : 'API key or refresh token'}.`,
      {
        hint: 'API keys begin with sk-, refresh tokens with rt-. Access tokens are short-lived: pass one in HEALTHCTL_TOKEN.',
        exitCode: EXIT.usage,
      },
    );
  }
  const tokens = await exchange(cli, url, secret);
  const client: HealthdClient = clientFor(cli, url, async () => ({ Authorization: `Bearer ${tokens.access_token}` }));
  const developer = await client.call(currentDeveloper, { signal: cli.signal });
  return { refresh_token: tokens.refresh_token, developer_email: developer.email };
}
