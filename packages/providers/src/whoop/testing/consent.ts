import { createVendorApi, type PullMode, requestTokens, type VendorApi } from '../../cloud/index.js';
import { WHOOP_CLOUD } from '../cloud.js';

const REDIRECT = 'http://localhost:9/callback';

/** What of the simulator a client needs to know. */
export interface SimulatedVendor {
  urls: { api: string; authorize: string; token: string };
  client: { id: string; secret: string };
}

/** How an operator has data read. */
export const MODE: PullMode = {
  granularity: 'raw',
  configuration: { scope: WHOOP_CLOUD.oauth.defaultScope, addresses: WHOOP_CLOUD.addresses, values: {} },
};

/** An account's data as a connection reads them, after the whole round trip of consent. */
export async function consent(
  { urls, client }: SimulatedVendor,
  account: string,
  scope = WHOOP_CLOUD.oauth.defaultScope,
): Promise<{ api: VendorApi; scopes: ReadonlySet<string> }> {
  const asked = new URLSearchParams({
    client_id: client.id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope,
    state: 'a long state',
    login_hint: account,
  });
  const page = await fetch(`${urls.authorize}?${asked}`, { redirect: 'manual' });
  const code = new URL(page.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const credentials = { clientId: client.id, clientSecret: client.secret, authentication: 'body' } as const;
  const granted = await requestTokens({
    address: urls.token,
    grant: { kind: 'authorization_code', code, redirectUri: REDIRECT },
    client: credentials,
  });
  const api = createVendorApi({
    addresses: { api: urls.api, authorize: urls.authorize, token: urls.token },
    tokens: { current: async () => granted.accessToken, renew: async () => granted.accessToken },
    budgets: [],
    readError: WHOOP_CLOUD.readError,
    maxResponseBytes: WHOOP_CLOUD.maxResponseBytes,
  });
  return { api, scopes: new Set(granted.scope?.split(' ')) };
}
