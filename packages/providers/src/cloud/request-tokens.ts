import { SECONDS_PER_DAY } from '@healthd/model';
import { exchange, type VendorResponse } from './exchange.js';
import { hasOauthError, oauthFailure } from './oauth-error.js';
import { httpAddress } from './request-url.js';
import { readBody } from './response-body.js';
import { type ClientCredentials, tokenForm } from './token-form.js';
import type { ErrorReader } from './vendor-api.js';
import { VendorError } from './vendor-error.js';

/** Grant to exchange for tokens. */
export type TokenGrant =
  | { kind: 'authorization_code'; code: string; redirectUri: string; codeVerifier?: string }
  | { kind: 'refresh_token'; refreshToken: string; scope?: string }
  /** A service account's signed assertion (RFC 7523). */
  | { kind: 'assertion'; assertion: string };

export interface TokenRequest {
  /** The token endpoint. */
  address: string;
  grant: TokenGrant;
  /** Undefined for an assertion. */
  client?: ClientCredentials;
  readError?: ErrorReader;
  /** Default 15 seconds. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Default: Node's global `fetch`. */
  fetch?: typeof fetch;
}

/** Tokens from the vendor's response. */
export interface GrantedTokens {
  accessToken: string;
  /** Absent if the current refresh token stays valid. */
  refreshToken?: string;
  /** Absent if the vendor does not report it. */
  expiresInSeconds?: number;
  /** Granted scopes, space-separated; absent if the vendor does not report them. */
  scope?: string;
  /** All members of the response, secrets included, to identify the tokens' account. */
  members: Readonly<Record<string, unknown>>;
}

const MAX_RESPONSE_BYTES = 65_536;
const DEFAULT_TIMEOUT_MS = 15_000;
/** Ten years. Longer lifetimes are mistakes, and dates have an upper limit. */
const LONGEST_SECONDS = 10 * 365 * SECONDS_PER_DAY;

/**
 * Sends one request to the token endpoint. Never retries: codes and some vendors' refresh tokens are valid once, and a
 * request whose response was lost may have consumed the code or token.
 * @throws VendorError `unauthorized` for an invalid code or token only; `operator` for `invalid_client` and other
 *   deployment errors; `unavailable`, `rate_limited`, `invalid_answer` as everywhere. `reason` is the vendor's code.
 */
export async function requestTokens(request: TokenRequest): Promise<GrantedTokens> {
  const response = await post(request, grantMembers(request.grant), request.client);
  if (response.status >= 400 || hasOauthError(response)) throw oauthFailure(response, request.readError);
  const members = membersOf(response);
  const accessToken = text(members.access_token);
  if (accessToken === undefined) throw new VendorError({ code: 'invalid_answer', status: response.status });
  return {
    accessToken,
    refreshToken: text(members.refresh_token),
    expiresInSeconds: seconds(members.expires_in),
    // The scope is displayed and stored as text, unlike the tokens. Postgres rejects NUL.
    scope: text(members.scope)
      ?.replaceAll(/\p{Cc}+/gu, ' ')
      .trim(),
    members,
  };
}

export interface Revocation extends Pick<TokenRequest, 'readError' | 'timeoutMs' | 'signal' | 'fetch'> {
  /** The revocation endpoint (RFC 7009). */
  address: string;
  /** The access or the refresh token. */
  token: string;
  /** Type of the token, if the vendor requires it. */
  tokenTypeHint?: 'access_token' | 'refresh_token';
  /** Omitted if the vendor requires the token alone. */
  client?: ClientCredentials;
}

/**
 * Revokes a grant at the vendor. An invalid token counts as revoked.
 * @throws VendorError
 */
export async function revokeToken(revocation: Revocation): Promise<void> {
  const response = await post(
    revocation,
    { token: revocation.token, token_type_hint: revocation.tokenTypeHint },
    revocation.client,
  );
  if (response.status < 400 && !hasOauthError(response)) return;
  const failure = oauthFailure(response, revocation.readError);
  if (failure.code !== 'unauthorized') throw failure;
}

async function post(
  request: Pick<TokenRequest, 'address' | 'timeoutMs' | 'signal' | 'fetch'>,
  members: Readonly<Record<string, string | undefined>>,
  client: ClientCredentials | undefined,
): Promise<VendorResponse> {
  return exchange({
    url: httpAddress(request.address),
    method: 'POST',
    ...tokenForm(members, client),
    timeoutMs: request.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    signal: request.signal,
    fetch: request.fetch,
  });
}

function grantMembers(grant: TokenGrant): Record<string, string | undefined> {
  switch (grant.kind) {
    case 'authorization_code':
      return {
        grant_type: 'authorization_code',
        code: grant.code,
        redirect_uri: grant.redirectUri,
        code_verifier: grant.codeVerifier,
      };
    case 'refresh_token':
      return { grant_type: 'refresh_token', refresh_token: grant.refreshToken, scope: grant.scope };
    case 'assertion':
      return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: grant.assertion };
  }
}

function membersOf(response: VendorResponse): Record<string, unknown> {
  const body = readBody(response);
  if (typeof body !== 'object' || body === null) {
    throw new VendorError({ code: 'invalid_answer', status: response.status });
  }
  return { ...body };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Accepts text, because some vendors write the number as text. */
function seconds(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return undefined;
  return Math.min(Math.floor(number), LONGEST_SECONDS);
}
