import type { OAuthDefinition } from './cloud-provider.js';
import type { ProviderConfiguration } from './provider-configuration.js';
import { requestTokens, revokeToken } from './request-tokens.js';
import { sendWithToken } from './send-with-token.js';
import type { VendorRequest } from './vendor-api.js';
import { VendorError } from './vendor-error.js';

/** A consent to end at the vendor. */
export interface ConsentEnd {
  oauth: Pick<OAuthDefinition, 'clientAuthentication' | 'endConsent' | 'refreshScope' | 'revocation'>;
  configuration: ProviderConfiguration;
  tokens: { accessToken?: string; refreshToken?: string };
  /** The vendor's id of the account, if known. */
  account?: string;
  /** Time-out of each request. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/**
 * Ends a grant at the vendor through its revocation endpoint or a vendor-specific request. The vendor-specific request
 * renews an expired access token once. A grant that has already ended counts as success.
 * @returns false if the vendor offers neither way, the endpoint has no token to revoke, or the request needs an unknown
 *   account
 * @throws VendorError
 */
export async function endConsent(end: ConsentEnd): Promise<boolean> {
  const { oauth, configuration, tokens, timeoutMs, signal } = end;
  const address = configuration.addresses.revoke;
  const token = tokens.refreshToken ?? tokens.accessToken;
  if (oauth.endConsent !== undefined) {
    const request = requestOf(oauth.endConsent, end);
    if (request !== undefined) await endByRequest(end, request);
    return request !== undefined;
  }
  if (address === undefined || token === undefined) return false;
  const { clientAuthentication: authentication, tokenTypeHint } = oauth.revocation ?? {};
  const hint = tokens.refreshToken === undefined ? 'access_token' : 'refresh_token';
  await revokeToken({
    address,
    token,
    tokenTypeHint: tokenTypeHint && hint,
    client: { ...clientOf(end), ...(authentication && { authentication }) },
    timeoutMs,
    signal,
  });
  return true;
}

function requestOf(
  definition: NonNullable<OAuthDefinition['endConsent']>,
  { account, configuration }: ConsentEnd,
): VendorRequest | undefined {
  if (typeof definition !== 'function') return definition;
  return account === undefined ? undefined : definition(account, configuration);
}

async function endByRequest(end: ConsentEnd, request: VendorRequest): Promise<void> {
  const { tokens } = end;
  try {
    if (tokens.accessToken === undefined) throw new VendorError({ code: 'unauthorized' });
    await send(end, request, tokens.accessToken);
  } catch (error) {
    if (!isDead(error) || tokens.refreshToken === undefined) throw error;
    const renewed = await renew(end, tokens.refreshToken);
    if (renewed !== undefined) await send(end, request, renewed);
  }
}

/** Returns a new access token; undefined if the refresh token is invalid too. */
async function renew(end: ConsentEnd, refreshToken: string): Promise<string | undefined> {
  const { oauth, configuration, timeoutMs, signal } = end;
  try {
    const granted = await requestTokens({
      address: configuration.addresses.token,
      grant: { kind: 'refresh_token', refreshToken, scope: oauth.refreshScope },
      client: clientOf(end),
      timeoutMs,
      signal,
    });
    return granted.accessToken;
  } catch (error) {
    if (isDead(error)) return undefined;
    throw error;
  }
}

function send(
  { configuration, timeoutMs, signal }: ConsentEnd,
  request: VendorRequest,
  accessToken: string,
): Promise<void> {
  return sendWithToken({ configuration, request, accessToken, timeoutMs, signal });
}

function clientOf({ oauth, configuration }: ConsentEnd) {
  const { clientId = '', clientSecret = '' } = configuration;
  return { clientId, clientSecret, authentication: oauth.clientAuthentication };
}

function isDead(error: unknown): boolean {
  return error instanceof VendorError && error.code === 'unauthorized';
}
