import type { AccountsOptions, FirstAccount } from '@healthd/daemon/accounts';
import type { AppOptions, Binding, ErrorFormat } from '@healthd/daemon/http';
import type { Settings } from '@healthd/daemon/settings';
import { pino } from 'pino';
import { ADMIN, type ComposedOptions, startComposed, TEST_KEYS } from './composed.js';
import { requireDeclared } from './declared-responses.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';
import { SecretWatch } from './secret-watch.js';

export { ADMIN };

export interface ServiceOptions {
  serviceName?: string;
  errorFormat?: ErrorFormat;
  /** Routes to serve in addition to the service's own. */
  bindings?: readonly Binding[];
  corsOrigins?: readonly string[];
  /** Pages to serve in addition to the service's own. They are matched first. */
  mount?: AppOptions['mount'];
  accessTokenMinutes?: number;
  graceSeconds?: number;
  secureCookie?: boolean;
  /** Rate limits. Unlimited by default, because tests call often. */
  limits?: Required<AccountsOptions>['limits'];
  failuresBeforeWait?: number;
  /** True if X-Forwarded-For contains the client's IP address. */
  trustProxy?: boolean;
  /** Overrides the options above. */
  settings?: Partial<Settings>;
  overrides?: ComposedOptions['overrides'];
}

const UNLIMITED: Required<AccountsOptions>['limits'] = {
  perAddress: { login: 0, token: 0, refresh: 0, redeem: 0, accept: 0, connect: 0 },
  perAccount: { token: 0, refresh: 0 },
};

/**
 * Starts the service as the program does, on a real port with a separate database. Creates the first developer and key.
 */
export async function startTestService({
  copyOf,
  ...options
}: ServiceOptions & { copyOf?: Pick<TestDatabase, 'name'> | undefined } = {}) {
  const database = await createTestDatabase(copyOf && { copyOf });
  const started = await startSecondService(database, options);
  return {
    ...started,
    /** Stops the service. Fails if its log contains a secret that the test used. */
    async stop() {
      await started.stop();
      await database.drop();
      started.watch.check(started.logLines, 'the log');
    },
  };
}

/**
 * Starts a second service that acts as another process of the first service. The two services share only the database
 * and the keys.
 */
export async function startSecondService(database: TestDatabase, options: ServiceOptions = {}) {
  const logLines: string[] = [];
  const watch = new SecretWatch();
  const log = pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) });
  const { overrides = {} } = options;
  const service = await startComposed({
    databaseUrl: database.url,
    env: options.secureCookie ? { API_BASE_URL: 'https://health.example' } : {},
    settings: settingsOf(options),
    overrides: {
      bindings: options.bindings,
      mount: options.mount,
      refreshGraceSeconds: options.graceSeconds,
      ...overrides,
    },
    log,
  });
  const { url, parts, firstAccount } = service;
  const { accounts, users, gate, bindings, pool } = parts;
  return {
    url,
    pool,
    database,
    parts,
    accounts,
    users,
    gate,
    audit: service.audit,
    bindings,
    /** First account, set only by the first service on a database. */
    first: firstAccount as FirstAccount,
    signingKey: TEST_KEYS.signingKey,
    logLines,
    watch,
    stop: () => service.stop(),
    call: caller({ url, watch }, { [gate.apiKeyHeader]: firstAccount?.apiKey ?? '' }),
    anonymous: caller({ url, watch }, {}),
    /** Calls as a developer with this access token. */
    as: (accessToken: string) => caller({ url, watch }, { Authorization: `Bearer ${accessToken}` }),
    async logIn() {
      const tokens = await accounts.sessions.login({
        email: ADMIN.adminEmail,
        password: ADMIN.adminPassword,
        address: undefined,
      });
      watch.knowBody(tokens);
      return { tokens, call: caller({ url, watch }, { Authorization: `Bearer ${tokens.access_token}` }) };
    },
  };
}

/** Converts the options to settings. */
function settingsOf(options: ServiceOptions): Partial<Settings> {
  const { perAddress, perAccount } = options.limits ?? UNLIMITED;
  return {
    ...definedSettings(options),
    loginLimitPerAddress: perAddress.login,
    tokenLimitPerAddress: perAddress.token,
    refreshLimitPerAddress: perAddress.refresh,
    redeemLimitPerAddress: perAddress.redeem,
    acceptLimitPerAddress: perAddress.accept,
    connectLimitPerAddress: perAddress.connect,
    tokenLimitPerApplication: perAccount.token,
    refreshLimitPerSession: perAccount.refresh,
    loginFailuresBeforeWait: options.failuresBeforeWait ?? 0,
    ...options.settings,
  };
}

function definedSettings({ serviceName, errorFormat, corsOrigins, accessTokenMinutes, trustProxy }: ServiceOptions) {
  const set = { serviceName, errorFormat, corsOrigins, accessTokenExpireMinutes: accessTokenMinutes, trustProxy };
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined)) as Partial<Settings>;
}

export type TestService = Awaited<ReturnType<typeof startTestService>>;

/** Type of a response body in tests. */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape and compare their members
type Json = any;

/** A response. `body` is the parsed JSON, or the text if the response is not JSON. */
export interface Answered {
  status: number;
  headers: Headers;
  body: Json;
}

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answered>;

/**
 * Returns a function that calls the service. A call fails if an error body contains a secret or the status is not
 * declared.
 */
export function caller(service: { url: string; watch: SecretWatch }, credentials: Record<string, string>): Call {
  const { watch } = service;
  return async (method, path, body, headers = {}) => {
    const json: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
    // Avoids compression, which has its own tests and costs processor time at both ends.
    const sent = new Headers({ 'Accept-Encoding': 'identity', ...credentials, ...json, ...headers });
    watch.knowHeaders(sent);
    watch.knowBody(body);
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: sent,
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    // The page after a redirect is not part of the declaration.
    if (!response.redirected) requireDeclared(method, path, response.status);
    if (response.status >= 400) watch.check([text], `the answer to ${method} ${path}`);
    watch.knowHeaders(response.headers);
    watch.knowBody(parsed(text));
    return { status: response.status, headers: response.headers, body: parsed(text) };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
