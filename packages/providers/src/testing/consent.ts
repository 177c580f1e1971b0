import { createHash, randomBytes } from 'node:crypto';
import { type CloudProvider, createVendorApi, type PullMode, requestTokens, type VendorApi } from '../cloud/index.js';

const REDIRECT = 'http://localhost:9/callback';

/** A client's view of a simulator. */
export interface SimulatedVendor {
  urls: { api: string; authorize: string; token: string };
  client: { id: string; secret: string };
  /** Values of the vendor's own settings. */
  settings?: Readonly<Record<string, string>>;
}

/** Returns the pull mode of an operator who changed no settings. */
export function modeOf({ oauth, addresses }: CloudProvider): PullMode {
  return { granularity: 'raw', configuration: { scope: oauth.defaultScope, addresses, values: {} } };
}

/** Returns an account's API as a connection uses it, and the granted scopes, after a complete consent flow. */
export async function consent(
  cloud: CloudProvider,
  { urls, client, settings = {} }: SimulatedVendor,
  account: string,
  scope = cloud.oauth.defaultScope,
): Promise<{ api: VendorApi; scopes: ReadonlySet<string> }> {
  const { oauth, readError, maxResponseBytes } = cloud;
  const { configuration } = modeOf(cloud);
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const separator = oauth.scopeSeparator ?? ' ';
  const query = new URLSearchParams({
    client_id: client.id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: scope.split(/[\s,]+/).join(separator),
    state: 'a long state',
    login_hint: account,
    ...(oauth.pkce && { code_challenge: challenge, code_challenge_method: 'S256' }),
  });
  const page = await fetch(`${urls.authorize}?${query}`, { redirect: 'manual' });
  const back = new URL(page.headers.get('location') ?? '').searchParams;
  const code = back.get('code') ?? '';
  const granted = await requestTokens({
    address: urls.token,
    grant: {
      kind: 'authorization_code',
      code,
      redirectUri: REDIRECT,
      ...(oauth.pkce && { codeVerifier: verifier }),
    },
    client: { clientId: client.id, clientSecret: client.secret, authentication: oauth.clientAuthentication },
  });
  const api = createVendorApi({
    addresses: { ...urls },
    tokens: { current: async () => granted.accessToken, renew: async () => granted.accessToken },
    budgets: [],
    headers: cloud.requestHeaders?.({ ...configuration, values: settings }),
    readError,
    maxResponseBytes,
  });
  const names = (granted.scope ?? back.get('scope') ?? scope).split(/[\s,]+/).filter(Boolean);
  return { api, scopes: new Set(oauth.scopeName ? names.map(oauth.scopeName) : names) };
}
