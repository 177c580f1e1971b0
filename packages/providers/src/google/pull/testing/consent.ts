import { createVendorApi, type VendorAddresses, type VendorApi } from '../../../cloud/index.js';
import { GOOGLE_CLOUD } from '../../cloud.js';

const REDIRECT = 'http://localhost:9/callback';

/** Simulator details that a client needs. */
export interface SimulatedVendor {
  urls: { api: string; authorize: string; token: string; revoke: string; userInfo: string };
  client: { id: string; secret: string };
}

/** Returns an account's API as a connection uses it, and the granted scopes, after a complete consent flow. */
export async function consent(
  simulator: SimulatedVendor,
  account: string,
  scope = GOOGLE_CLOUD.oauth.defaultScope,
): Promise<{ api: VendorApi; scopes: ReadonlySet<string> }> {
  const query = new URLSearchParams({
    client_id: simulator.client.id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope,
    state: 'state',
    login_hint: account,
    ...GOOGLE_CLOUD.oauth.authorizeParameters,
  });
  const page = await fetch(`${simulator.urls.authorize}?${query}`, { redirect: 'manual' });
  const code = new URL(page.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT,
    client_id: simulator.client.id,
    client_secret: simulator.client.secret,
  });
  const response = await fetch(simulator.urls.token, { method: 'POST', body: form });
  const tokens = (await response.json()) as { access_token: string; scope: string };
  const { api, authorize, token, revoke, userInfo } = simulator.urls;
  const addresses: VendorAddresses = { api, authorize, token, revoke, userInfo };
  const vendor = createVendorApi({
    addresses,
    tokens: { current: async () => tokens.access_token, renew: async () => tokens.access_token },
    budgets: [],
    readError: GOOGLE_CLOUD.readError,
    maxResponseBytes: GOOGLE_CLOUD.maxResponseBytes,
  });
  return { api: vendor, scopes: new Set(tokens.scope.split(' ')) };
}
