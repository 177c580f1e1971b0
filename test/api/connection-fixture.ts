import { createVault } from '@healthd/daemon/vault';
import { type AutomaticConsent, type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { type Answered, type Call, caller } from '../support/service.js';
import { AMPLE_QUOTA, ampleVendorSettings } from '../support/simulated-vendor.js';
import { startWholeService } from '../support/whole-service.js';

export interface ConnectionFixtureOptions {
  /** Running simulator. The fixture closes it. */
  vendor?: GoogleSimulator;
  env?: Record<string, string>;
  role?: 'api' | 'all';
}

/** The user's choices at the vendor, and the application's options. */
export interface ConsentInput extends AutomaticConsent {
  redirectUri?: string;
  /** Accept header of the callback request. */
  accept?: string;
}

export const WEBHOOK_SECRET = 'a webhook secret of the test';

/** Starts the complete service with a simulated vendor. Users consent through the real redirects. */
export async function openConnectionFixture(options: ConnectionFixtureOptions = {}) {
  const vendor = options.vendor ?? (await startGoogleSimulator({ autoConsent: true, quota: AMPLE_QUOTA }));
  const service = await startWholeService(
    {
      ...ampleVendorSettings(vendor),
      CLOUDHEALTH_WEBHOOK_SECRET: WEBHOOK_SECRET,
      ...options.env,
    },
    options.role,
  );
  const { watch } = service;
  for (const secret of [vendor.client.secret, WEBHOOK_SECRET]) watch.know(secret);
  const call = caller(service, { [service.apiKeyHeader]: service.apiKey });
  const vault = createVault([new Uint8Array(32).fill(8)]);

  /** Returns the tokens of a user's connection. From then on, the test fails if a token leaks. */
  async function tokensOf(userId: string, provider = 'google') {
    const { rows } = await service.pool.query(
      `select c.id, access_token, refresh_token from connection c join health_user u using (user_key)
        where u.id = $1 and provider = $2`,
      [userId, provider],
    );
    const open = (column: 'access_token' | 'refresh_token') => {
      const sealed: string | null | undefined = rows[0]?.[column];
      const fixture = { table: 'connection', column, row: rows[0]?.id, userId };
      const token = sealed ? vault.open(fixture, sealed) : undefined;
      watch.know(token);
      return token;
    };
    return { access: open('access_token'), refresh: open('refresh_token') };
  }

  return {
    vendor,
    service,
    call,
    tokensOf,
    async createUser(): Promise<string> {
      return (await call('POST', '/api/v1/users')).body.id;
    },
    async asDeveloper(): Promise<Call> {
      const tokens = await service.accounts.sessions.login({
        email: service.email,
        password: service.password,
        address: undefined,
      });
      watch.knowBody(tokens);
      return caller(service, { Authorization: `Bearer ${tokens.access_token}` });
    },
    authorize(userId: string, redirectUri?: string): Promise<Answered> {
      const query = new URLSearchParams({ user_id: userId, ...(redirectUri && { redirect_uri: redirectUri }) });
      return call('GET', `/api/v1/oauth/google/authorize?${query}`);
    },
    /** Follows the consent page's URL to the vendor's redirect. */
    async consent(authorizationUrl: string, answer: AutomaticConsent = {}): Promise<string> {
      await vendor.control.setConsent(answer);
      const back = await fetch(authorizationUrl, { redirect: 'manual' });
      const address = new URL(back.headers.get('location') ?? '');
      for (const name of ['code', 'state']) watch.know(address.searchParams.get(name) ?? undefined);
      return `${service.url}${address.pathname}${address.search}`;
    },
    /** Runs the complete flow. Returns the response of the callback. */
    async connect(userId: string, { redirectUri, accept = 'application/json', ...answer }: ConsentInput = {}) {
      const { body } = await this.authorize(userId, redirectUri);
      const address = await this.consent(body.authorization_url, answer);
      const response = await fetch(address, { redirect: 'manual', headers: { Accept: accept } });
      await tokensOf(userId);
      return response;
    },
    async connectionOf(userId: string, provider = 'google') {
      const { body } = await call('GET', `/api/v1/users/${userId}/connections`);
      return body.find((connection: { provider: string }) => connection.provider === provider);
    },
    async close() {
      await vendor.close();
      await service.stop();
    },
  };
}

export type ConnectionFixture = Awaited<ReturnType<typeof openConnectionFixture>>;
