import { randomUUID } from 'node:crypto';
import {
  ASSISTANT_CLIENT,
  CLIENT_HEADER,
  type CredentialClass,
  type KeyScope,
  type RouteSpec,
} from '@healthd/contract';
import { createAccounts } from '@healthd/daemon/accounts';
import { createVault } from '@healthd/daemon/vault';
import type { WholeService } from '../support/whole-service.js';

/** A request's credentials. */
export interface Sent {
  headers: Record<string, string>;
  body?: Record<string, string>;
}

/** Result of the credential check: `open` if accepted, otherwise the status. */
export type Verdict = 'open' | 400 | 401 | 403;

/** Users and developer of one attempt. Each attempt gets new users, because it may delete them. */
export interface Attempt {
  userId: string;
  otherUserId: string;
  developerId: string;
}

/** A credential class: its creation, and its expected result per route. */
interface Credential {
  name: string;
  make(service: WholeService, cast: Attempt): Promise<Sent>;
  /** Returns the expected result on a route. */
  expected(route: Pick<RouteSpec, 'auth' | 'scope' | 'path' | 'forAssistants'>): Verdict;
}

/**
 * Returns the result without an accepted credential. Application routes respond 400 instead of 401, as existing clients
 * expect.
 */
const rejectionOf = (auth: CredentialClass): Verdict =>
  auth === 'public' ? 'open' : auth === 'application' ? 400 : 401;

const opens =
  (...classes: CredentialClass[]) =>
  ({ auth }: Pick<RouteSpec, 'auth'>): Verdict =>
    classes.includes(auth) ? 'open' : rejectionOf(auth);

const bearer = (token: string): Sent => ({ headers: { Authorization: `Bearer ${token}` } });

const keyWith =
  (scopes: KeyScope[] | undefined, expiresAt?: Date) =>
  async ({ accounts, apiKeyHeader }: WholeService, { developerId }: Attempt): Promise<Sent> => {
    const keyOptions = { scopes: scopes ?? null, expires_at: expiresAt ?? null };
    return { headers: { [apiKeyHeader]: (await accounts.apiKeys.create(keyOptions, developerId)).key } };
  };

const scoped = (scope: 'read' | 'write' | 'push'): Credential => ({
  name: `API key, ${scope} only`,
  make: keyWith([scope]),
  expected: ({ auth, scope: needed }) => {
    if (auth !== 'key' && auth !== 'sdk') return rejectionOf(auth);
    if (needed === scope) return 'open';
    return auth === 'sdk' ? 401 : 403;
  },
});

/** Expected result of a credential for assistants: it opens only the routes that assistants may use. */
const assistant =
  (...classes: CredentialClass[]) =>
  ({ auth, forAssistants }: Pick<RouteSpec, 'auth' | 'forAssistants'>): Verdict => {
    if (auth === 'public' || !classes.includes(auth)) return rejectionOf(auth);
    return forAssistants ? 'open' : auth === 'sdk' ? 401 : 403;
  };

const publicOnly = opens('public');

/** Creates accounts whose access tokens have expired but have a valid signature. */
const expired = ({ pool, sequelize, signingKey }: WholeService) =>
  createAccounts({
    pool,
    sequelize,
    signingKey,
    accessTokenMinutes: -1,
    vault: createVault([new Uint8Array(32).fill(8)]),
  });

async function sessionOf({ accounts }: Pick<WholeService, 'accounts'>, { developerId }: Attempt) {
  const tokens = await accounts.sessions.open(developerId);
  if (!tokens) throw new Error('no session was opened');
  return tokens;
}

async function deviceToken({ accounts }: WholeService, userId: string, { developerId }: Attempt): Promise<string> {
  const tokens = await accounts.userTokens.issue(userId, { kind: 'developer', developerId });
  if (!tokens) throw new Error('no token was issued');
  return tokens.access_token;
}

/** All classes of credentials, valid and invalid. */
export const CREDENTIALS: readonly Credential[] = [
  { name: 'none', make: async () => ({ headers: {} }), expected: publicOnly },
  { name: 'garbage', make: async () => bearer('garbage'), expected: publicOnly },
  {
    name: 'developer',
    make: async (service, cast) => bearer((await sessionOf(service, cast)).access_token),
    expected: opens('public', 'developer', 'key', 'application'),
  },
  {
    name: 'developer, expired',
    async make(service, cast) {
      return bearer((await sessionOf({ accounts: expired(service) }, cast)).access_token);
    },
    expected: publicOnly,
  },
  {
    name: 'developer, logged out',
    async make(service, cast) {
      const tokens = await sessionOf(service, cast);
      await service.accounts.sessions.revoke(tokens.refresh_token);
      return bearer(tokens.access_token);
    },
    expected: publicOnly,
  },
  {
    name: 'developer’s refresh token',
    make: async (service, cast) => bearer((await sessionOf(service, cast)).refresh_token),
    expected: publicOnly,
  },
  { name: 'API key', make: keyWith(undefined), expected: opens('public', 'key', 'sdk') },
  scoped('read'),
  scoped('write'),
  scoped('push'),
  {
    name: 'API key, assistant only',
    make: keyWith(['assistant']),
    expected: assistant('key', 'sdk'),
  },
  {
    name: 'developer who says X-Client: assistant',
    make: async (service, cast) => {
      const { headers } = bearer((await sessionOf(service, cast)).access_token);
      return { headers: { ...headers, [CLIENT_HEADER]: ASSISTANT_CLIENT } };
    },
    expected: assistant('developer', 'key', 'application'),
  },
  { name: 'API key, expired', make: keyWith(undefined, new Date(Date.now() - 1000)), expected: publicOnly },
  {
    name: 'API key, deleted',
    async make({ accounts, apiKeyHeader }, { developerId }) {
      const { id, key } = await accounts.apiKeys.create({}, developerId);
      await accounts.apiKeys.remove(id);
      return { headers: { [apiKeyHeader]: key } };
    },
    expected: publicOnly,
  },
  {
    name: 'API key as bearer',
    make: async ({ accounts }, { developerId }) => bearer((await accounts.apiKeys.create({}, developerId)).key),
    expected: publicOnly,
  },
  {
    name: 'device of this user',
    make: async (service, cast) => bearer(await deviceToken(service, cast.userId, cast)),
    expected: opens('public', 'sdk', 'device'),
  },
  {
    name: 'device of another user',
    make: async (service, cast) => bearer(await deviceToken(service, cast.otherUserId, cast)),
    expected: ({ auth, path }) =>
      (auth === 'sdk' || auth === 'device') && path.includes('{user_id}')
        ? 403
        : opens('public', 'sdk', 'device')({ auth }),
  },
  {
    name: 'device, expired',
    async make(service, cast) {
      const { userTokens } = expired(service);
      const tokens = await userTokens.issue(cast.userId, { kind: 'developer', developerId: cast.developerId });
      return bearer(tokens?.access_token ?? '');
    },
    expected: publicOnly,
  },
  {
    name: 'application',
    async make({ accounts }, { developerId }) {
      const { app_id, app_secret } = await accounts.applications.create('App', developerId);
      return { headers: {}, body: { app_id, app_secret } };
    },
    expected: opens('public', 'application'),
  },
  {
    name: 'application, wrong secret',
    async make({ accounts }, { developerId }) {
      const { app_id } = await accounts.applications.create('App', developerId);
      return { headers: {}, body: { app_id, app_secret: `secret_${'0'.repeat(64)}` } };
    },
    expected: ({ auth }) => (auth === 'public' ? 'open' : 401),
  },
  {
    name: 'application secret as bearer',
    make: async ({ accounts }, { developerId }) =>
      bearer((await accounts.applications.create('App', developerId)).app_secret),
    expected: publicOnly,
  },
  {
    name: 'invitation code as bearer',
    make: async ({ accounts }, { userId, developerId }) =>
      bearer((await accounts.invitationCodes.create(userId, developerId)).code),
    expected: publicOnly,
  },
];

/** Creates new users for one attempt. */
export async function newAttempt({ pool }: WholeService): Promise<Attempt> {
  const [userId, otherUserId] = [randomUUID(), randomUUID()];
  const { rows } = await pool.query<{ developer_id: string }>(
    `with made as (insert into health_user (id) values ($1), ($2))
     select id as developer_id from developer order by created_at limit 1`,
    [userId, otherUserId],
  );
  return { userId, otherUserId, developerId: rows[0]?.developer_id ?? '' };
}
