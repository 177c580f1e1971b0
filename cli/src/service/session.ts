import { ApiError, HealthdClient } from '@healthd/client';
import { type RouteSpec, refreshTokens, VERSION_HEADER } from '@healthd/contract';
import { MS_PER_MINUTE } from '@healthd/model';
import type { ResponseOf, SchemasOf } from '@healthd/schemas';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { type Connection, resolveConnection } from '../profile/connection.js';
import { profilePath, readProfile, updateProfile } from '../profile/profile-file.js';
import { findProjectFile } from '../profile/project-file.js';
import { VERSION } from '../version.js';
import { isOlder, newerHealthctl } from './version-skew.js';

export const DEFAULT_API_KEY_HEADER = 'X-Service-API-Key';
const RESPONSE_WITHIN_MS = 30_000;
/** Timeout of a refresh. Shorter than the time after which other processes claim the profile's lock. */
const REFRESH_WITHIN_MS = 15_000;
/** Remaining lifetime below which an access token is renewed. */
const RENEW_BEFORE_MS = MS_PER_MINUTE;

/** Parts of the program that a session uses. */
export interface Surroundings {
  options: { url?: string; context?: string };
  env: NodeJS.ProcessEnv;
  connection(): Promise<Connection>;
  /** Called before each request that changes something. @throws CliError if the request is not allowed */
  checkChange?(): void;
  debug(text: string): void;
  warn(text: string): void;
}

/** Reads options, environment and files. @throws CliError */
export async function connectionOf(cli: Surroundings): Promise<Connection> {
  const [project, profile] = await Promise.all([findProjectFile(process.cwd()), readProfile(profilePath(cli.env))]);
  return resolveConnection({ flags: cli.options, env: cli.env, project, profile });
}

/** Opens a session with the configured service. */
export async function openSession(cli: Surroundings): Promise<Session> {
  return new Session(cli, await cli.connection());
}

/** Creates a client with the caller's credentials. */
export function clientFor(
  cli: Surroundings,
  url: string,
  authorize: (route: RouteSpec) => Promise<Record<string, string>>,
): HealthdClient {
  return new HealthdClient({
    baseUrl: url,
    authorize,
    observe: ({ method, path, status, milliseconds, requestId }) => {
      if (status === undefined) return;
      cli.debug(`${method} ${path} ${status} ${Math.round(milliseconds ?? 0)} ms ${requestId ?? ''}`.trimEnd());
    },
    answerWithinMs: () => RESPONSE_WITHIN_MS,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      warnWhenTooOld(cli, url, response.headers.get(VERSION_HEADER));
      return response;
    },
  });
}

const warned = new WeakSet<Surroundings>();

/** Warns once per process if the service is newer, because this healthctl may not understand its responses. */
function warnWhenTooOld(cli: Surroundings, url: string, serviceVersion: string | null): void {
  if (warned.has(cli) || !isOlder(VERSION, serviceVersion)) return;
  warned.add(cli);
  cli.warn(`This healthctl is ${VERSION}, the service is ${serviceVersion}. ${newerHealthctl(url)}`);
}

/** Selects the credential of a route: the API key if the route accepts it, otherwise the developer's access token. */
export class Session {
  /** Client that sends the credential that each route accepts. */
  readonly client: HealthdClient;
  #access: { token: string; endsAtMs: number } | undefined;
  #renewal: Promise<string> | undefined;

  constructor(
    private readonly cli: Surroundings,
    private readonly connection: Connection,
  ) {
    this.client = clientFor(cli, connection.url, (route) => {
      if (route.method !== 'GET') cli.checkChange?.();
      return this.headersFor(route);
    });
  }

  /** @throws CliError `not_logged_in`, `login_needed` */
  async headersFor(route: Pick<RouteSpec, 'auth'>): Promise<Record<string, string>> {
    if (route.auth === 'public') return {};
    const { token, stored } = this.connection;
    if (token) return this.#fromEnvironment(token, route);
    if (takesApiKey(route) && stored?.api_key) {
      return { [stored.api_key_header ?? DEFAULT_API_KEY_HEADER]: stored.api_key };
    }
    if (stored?.refresh_token) return bearer(await this.accessToken());
    throw stored?.api_key ? loginNeeded() : notLoggedIn(this.connection.url);
  }

  /** Returns the developer's access token. Concurrent callers share one exchange. */
  async accessToken(): Promise<string> {
    if (this.#access && this.#access.endsAtMs - Date.now() > RENEW_BEFORE_MS) return this.#access.token;
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  #fromEnvironment(token: string, route: Pick<RouteSpec, 'auth'>): Record<string, string> {
    if (!token.startsWith('sk-')) return bearer(token);
    if (!takesApiKey(route)) throw loginNeeded('HEALTHCTL_TOKEN contains an API key. ');
    return { [DEFAULT_API_KEY_HEADER]: token };
  }

  /**
   * Exchanges the stored refresh token for an access token. Holds the profile's lock and uses the newest refresh token,
   * because every exchange replaces the token.
   */
  async #renew(): Promise<string> {
    const name = this.connection.contextName ?? '';
    await updateProfile(profilePath(this.cli.env), async (profile) => {
      const stored = profile.contexts[name];
      if (!stored?.refresh_token) throw notLoggedIn(this.connection.url);
      const tokens = await exchange(this.cli, this.connection.url, stored.refresh_token);
      this.#access = { token: tokens.access_token, endsAtMs: Date.now() + tokens.expires_in * 1000 };
      return {
        ...profile,
        contexts: { ...profile.contexts, [name]: { ...stored, refresh_token: tokens.refresh_token } },
      };
    });
    return this.#access?.token ?? '';
  }
}

/** Exchanges a refresh token. @throws CliError `login_expired` when it has expired or was revoked */
export async function exchange(
  cli: Surroundings,
  url: string,
  refreshToken: string,
): Promise<ResponseOf<SchemasOf<typeof refreshTokens>>> {
  const client = clientFor(cli, url, async () => ({}));
  try {
    const signal = AbortSignal.timeout(REFRESH_WITHIN_MS);
    return await client.call(refreshTokens, { body: { refresh_token: refreshToken }, signal });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    throw new CliError('login_expired', 'The service rejected the stored login.', {
      hint: 'Run `healthctl login`.',
      exitCode: EXIT.denied,
      cause: error,
    });
  }
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

function notLoggedIn(url: string): CliError {
  return new CliError('not_logged_in', `No credential is stored for ${url}.`, {
    hint: 'Run `healthctl login`, or set HEALTHCTL_TOKEN to an API key.',
    exitCode: EXIT.denied,
  });
}

function loginNeeded(why = ''): CliError {
  return new CliError('login_needed', `${why}This requires a developer login; an API key is not enough.`, {
    hint: 'Run `healthctl login`.',
    exitCode: EXIT.denied,
  });
}

function takesApiKey(route: Pick<RouteSpec, 'auth'>): boolean {
  return route.auth === 'key' || route.auth === 'sdk';
}
