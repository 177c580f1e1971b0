import type { AccountsOptions, FirstAccount } from '@healthd/daemon/accounts';
import type { AppOptions, Binding, ErrorFormat } from '@healthd/daemon/http';
import type { Settings } from '@healthd/daemon/settings';
import { pino } from 'pino';
import { ADMIN, type ComposedOptions, startComposed, TEST_KEYS } from './composed.js';
import { requireDeclared } from './declared-answers.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';
import { SecretWatch } from './secret-watch.js';

export { ADMIN };

export interface ServiceOptions {
  serviceName?: string;
  errorFormat?: ErrorFormat;
  /** Further routes beside those of the service. */
  bindings?: readonly Binding[];
  corsOrigins?: readonly string[];
  /** Further pages; they come before those of the service. */
  mount?: AppOptions['mount'];
  accessTokenMinutes?: number;
  graceSeconds?: number;
  secureCookie?: boolean;
  /** What is limited how much; nothing unless said otherwise, because tests call often. */
  limits?: Required<AccountsOptions>['limits'];
  failuresBeforeWait?: number;
  /** Whether X-Forwarded-For says where a request comes from. */
  trustProxy?: boolean;
  /** Over what the options above say. */
  settings?: Partial<Settings>;
  overrides?: ComposedOptions['overrides'];
}

const UNLIMITED: Required<AccountsOptions>['limits'] = {
  perAddress: { login: 0, token: 0, refresh: 0, redeem: 0, accept: 0, connect: 0 },
  perAccount: { token: 0, refresh: 0 },
};

/** The service as the program starts it, on a real port over a database of its own, with the first developer and key. */
export async function startTestService({
  copyOf,
  ...options
}: ServiceOptions & { copyOf?: Pick<TestDatabase, 'name'> | undefined } = {}) {
  const database = await createTestDatabase(copyOf && { copyOf });
  const started = await startSecondService(database, options);
  return {
    ...started,
    /** Ends the service; fails when a secret that a test has used is in its log. */
    async stop() {
      await started.stop();
      await database.drop();
      started.watch.check(started.logLines, 'the log');
    },
  };
}

/** Another process of the same service as far as a caller can tell: nothing shared but the database and the keys. */
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
    /** Of the first service on a database only. */
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

/** What options say of settings. */
function settingsOf(options: ServiceOptions): Partial<Settings> {
  const { perAddress, perAccount } = options.limits ?? UNLIMITED;
  return {
    ...given(options),
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

function given({ serviceName, errorFormat, corsOrigins, accessTokenMinutes, trustProxy }: ServiceOptions) {
  const set = { serviceName, errorFormat, corsOrigins, accessTokenExpireMinutes: accessTokenMinutes, trustProxy };
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined)) as Partial<Settings>;
}

export type TestService = Awaited<ReturnType<typeof startTestService>>;

/** An answer's body as tests look into it. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape and compare what they find
type Json = any;

/** What came back. `body` is the parsed JSON, or the text where it is none. */
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

/** Calls the service, and fails when the body of an error holds a secret or its status is not declared. */
export function caller(service: { url: string; watch: SecretWatch }, credentials: Record<string, string>): Call {
  const { watch } = service;
  return async (method, path, body, headers = {}) => {
    const json: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
    // Compression has tests of its own; here it would cost processor time at both ends.
    const sent = new Headers({ 'Accept-Encoding': 'identity', ...credentials, ...json, ...headers });
    watch.knowHeaders(sent);
    watch.knowBody(body);
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: sent,
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    // A page that the answer sent the caller to has a document of its own or none.
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
