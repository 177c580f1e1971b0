import { type AccountsOptions, createAccounts, ensureFirstAccount } from '@healthd/daemon/accounts';
import type { AppOptions, Binding, ErrorFormat } from '@healthd/daemon/http';
import {
  accountRoutes,
  auditRoutes,
  consoleSessionRoutes,
  createApp,
  createAuditWriter,
  createGate,
  operationsRoutes,
  startServer,
  userRoutes,
} from '@healthd/daemon/http';
import { createSequelize } from '@healthd/daemon/platform/database';
import { type EraseUserData, Users } from '@healthd/daemon/users';
import { createVault } from '@healthd/daemon/vault';
import { pino } from 'pino';
import { requireDeclared } from './declared-answers.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';
import { SecretWatch } from './secret-watch.js';
import { testLedger } from './test-ledger.js';

export interface ServiceOptions {
  serviceName?: string;
  errorFormat?: ErrorFormat;
  /** Further routes beside accounts, users and operations. */
  bindings?: readonly Binding[] | ((pool: TestDatabase['pool'], url: string) => readonly Binding[]);
  corsOrigins?: readonly string[];
  mount?: AppOptions['mount'];
  accessTokenMinutes?: number;
  graceSeconds?: number;
  secureCookie?: boolean;
  eraseUserData?: EraseUserData;
  /** What is limited how much; nothing unless said otherwise, because tests call often. */
  limits?: AccountsOptions['limits'];
  failuresBeforeWait?: number;
  /** Whether X-Forwarded-For says where a request comes from. */
  trustProxy?: boolean;
}

export const ADMIN = { adminEmail: 'ada@clinic.example', adminPassword: 'correct horse battery' };

/** The real application on a real port over a database of its own, with the first developer and key. */
export async function startTestService(options: ServiceOptions = {}) {
  const database = await createTestDatabase();
  const { pool } = database;
  const sequelize = createSequelize({ url: database.url });
  const logLines: string[] = [];
  const watch = new SecretWatch();
  const log = pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) });
  const signingKey = new Uint8Array(32).fill(7);
  const accounts = createAccounts({
    pool,
    sequelize,
    signingKey,
    vault: createVault([new Uint8Array(32).fill(8)]),
    limits: options.limits,
    failuresBeforeWait: options.failuresBeforeWait,
    accessTokenMinutes: options.accessTokenMinutes,
    refresh: { graceSeconds: options.graceSeconds ?? 30 },
  });
  const first = await ensureFirstAccount(accounts, ADMIN);
  if (!first) throw new Error('the test database already held an account');
  await first.shown();
  const eraseUserData = options.eraseUserData ?? (async () => undefined);
  const users = new Users({ pool, sequelize, eraseUserData, ledger: testLedger() });
  const findUser = (id: string) => users.find(id);
  const gate = createGate({ accounts, findUser, serviceName: options.serviceName });
  const audit = createAuditWriter({ pool, log });
  const bindings = [
    ...accountRoutes({ accounts }),
    ...consoleSessionRoutes({ accounts, cookie: { secure: options.secureCookie ?? false, maxAgeSeconds: 2_592_000 } }),
    ...userRoutes({ users }),
    ...auditRoutes({ pool }),
    ...operationsRoutes({ apiKeyHeader: gate.apiKeyHeader }),
    ...(typeof options.bindings === 'function' ? options.bindings(pool, database.url) : (options.bindings ?? [])),
  ];
  const app = createApp({
    authenticate: gate.authenticate,
    findUser,
    audit: audit.record,
    checkAnswers: true,
    bindings,
    log,
    errorFormat: options.errorFormat ?? 'standard',
    trustProxy: options.trustProxy ?? false,
    corsOrigins: options.corsOrigins,
    mount: options.mount,
  });
  const server = await startServer({ app, host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    pool,
    database,
    accounts,
    users,
    gate,
    audit,
    bindings,
    first,
    signingKey,
    logLines,
    call: caller({ url, watch }, { [gate.apiKeyHeader]: first.apiKey }),
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
    /** Ends the service; fails when a secret that a test has used is in its log. */
    async stop() {
      await server.close(2);
      await audit.close();
      await sequelize.close();
      await database.drop();
      watch.check(logLines, 'the log');
    },
  };
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
