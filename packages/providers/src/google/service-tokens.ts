import { createHash, type KeyObject } from 'node:crypto';
import { MS_PER_MINUTE, SECONDS_PER_HOUR } from '@healthd/model';
import { SignJWT } from 'jose';
import {
  fetchJson,
  type GrantedTokens,
  type ProviderConfiguration,
  requestTokens,
  type TokenSource,
  VendorError,
} from '../cloud/index.js';
import { isObject, numberOf, textOf } from '../payload/index.js';
import { findServiceCredentials, type ServiceCredentials } from './service-credentials.js';

/** Claims of a service account's assertion (RFC 7523). */
interface Assertion {
  email: string;
  keyId?: string;
  privateKey: KeyObject;
  scope: string;
  /** Token endpoint in the key file. */
  audience: string;
  nowMs: number;
}

/** The vendor's maximum lifetime. */
const LIFE_SECONDS = SECONDS_PER_HOUR;

/** Creates a JWT signed with RS256, to exchange for an access token. */
function signAssertion({ email, keyId, privateKey, scope, audience, nowMs }: Assertion): Promise<string> {
  const issuedAt = Math.floor(nowMs / 1000);
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: keyId })
    .setIssuer(email)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFE_SECONDS)
    .sign(privateKey);
}

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
/** Remaining lifetime below which a token is not used. */
const MARGIN_MS = MS_PER_MINUTE;
const METADATA_PATH = '/computeMetadata/v1/instance/service-accounts/default/token';
const METADATA_TIMEOUT_MS = 3_000;
const METADATA_RESPONSE_BYTES = 65_536;

type ServiceToken = Pick<GrantedTokens, 'accessToken' | 'expiresInSeconds'>;

/** Credentials for calls of the operator. */
export interface ServiceAccess {
  tokens: TokenSource;
  /** Project billed for calls with a user account's credentials. */
  headers: Readonly<Record<string, string>>;
}

/** Access tokens of the operator's credentials, cached until a minute before they expire. */
export class ServiceTokens {
  private readonly kept = new Map<string, { accessToken: string; endsMs: number }>();

  /** @param now clock in milliseconds */
  constructor(
    private readonly environment: Readonly<Record<string, string | undefined>> = process.env,
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws VendorError `operator` if no credentials can be used; calls throw it too */
  async access({ addresses, values }: ProviderConfiguration): Promise<ServiceAccess> {
    const credentials = await findServiceCredentials(values.SERVICE_ACCOUNT_FILE, this.environment);
    const key = fingerprint(credentials, addresses.token);
    const fetch = () => this.fetch(key, credentials, addresses.token);
    const tokens: TokenSource = {
      current: async () => {
        const cached = this.kept.get(key);
        return cached !== undefined && this.now() < cached.endsMs - MARGIN_MS ? cached.accessToken : fetch();
      },
      renew: fetch,
    };
    const project = credentials.kind === 'authorized_user' ? credentials.quotaProject : undefined;
    return { tokens, headers: project === undefined ? {} : { 'x-goog-user-project': project } };
  }

  private async fetch(key: string, credentials: ServiceCredentials, tokenAddress: string): Promise<string> {
    const { accessToken, expiresInSeconds = 0 } = await this.request(credentials, tokenAddress);
    this.kept.set(key, { accessToken, endsMs: this.now() + expiresInSeconds * 1000 });
    return accessToken;
  }

  private async request(credentials: ServiceCredentials, tokenAddress: string): Promise<ServiceToken> {
    try {
      if (credentials.kind === 'metadata') return await metadataToken(credentials.host);
      return await grantedToken(credentials, tokenAddress, this.now());
    } catch (error) {
      throw error instanceof VendorError ? operatorFailure(error, credentials) : error;
    }
  }
}

async function grantedToken(
  credentials: Exclude<ServiceCredentials, { kind: 'metadata' }>,
  tokenAddress: string,
  nowMs: number,
): Promise<ServiceToken> {
  if (credentials.kind === 'service_account') {
    const audience = credentials.tokenAddress ?? tokenAddress;
    const assertion = await signAssertion({ ...credentials, scope: SCOPE, audience, nowMs });
    return requestTokens({ address: audience, grant: { kind: 'assertion', assertion } });
  }
  const { clientId, clientSecret, refreshToken } = credentials;
  return requestTokens({
    address: tokenAddress,
    grant: { kind: 'refresh_token', refreshToken },
    client: { clientId, clientSecret, authentication: 'body' },
  });
}

async function metadataToken(host: string): Promise<ServiceToken> {
  const body = await fetchJson({
    address: `http://${host}${METADATA_PATH}`,
    headers: { 'metadata-flavor': 'Google' },
    timeoutMs: METADATA_TIMEOUT_MS,
    maxResponseBytes: METADATA_RESPONSE_BYTES,
  });
  const accessToken = isObject(body) ? textOf(body.access_token, 4096) : undefined;
  if (accessToken === undefined) throw new VendorError({ code: 'invalid_answer' });
  return { accessToken, expiresInSeconds: isObject(body) ? numberOf(body.expires_in) : undefined };
}

/** Converts rejected or missing credentials to an operator error. */
function operatorFailure(error: VendorError, credentials: ServiceCredentials): VendorError {
  const { code, status, reason } = error;
  const hasNone = credentials.kind === 'metadata' && !credentials.isNamed && status === undefined;
  if (hasNone) return new VendorError({ code: 'operator', reason: 'no_credentials' });
  return code === 'unauthorized' || code === 'scope_missing' || code === 'not_found'
    ? new VendorError({ code: 'operator', status, reason: reason ?? 'credentials_refused' })
    : error;
}

/** Returns a cache key for credentials that contains no secret. */
function fingerprint(credentials: ServiceCredentials, tokenAddress: string): string {
  const parts =
    credentials.kind === 'service_account'
      ? [credentials.email, credentials.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')]
      : Object.values(credentials);
  return createHash('sha256')
    .update(JSON.stringify([tokenAddress, credentials.kind, ...parts]))
    .digest('base64');
}
