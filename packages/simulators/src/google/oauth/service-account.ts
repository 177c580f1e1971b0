import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { SECONDS_PER_HOUR } from '@healthd/model';
import { rsaKeyOnDemand } from './rsa-key.js';
import { CLOUD_PLATFORM } from './scopes.js';

const privateKey = rsaKeyOnDemand();

/** The only service account that may manage subscribers. */
export class ServiceAccount {
  private readonly email: string;
  private readonly keyId = randomUUID().replaceAll('-', '');

  constructor(private readonly projectId: string) {
    this.email = `healthd@${projectId}.iam.gserviceaccount.com`;
  }

  /** Returns the content of the account's key file. */
  keyFile(tokenUri: string): Record<string, string> {
    return {
      type: 'service_account',
      project_id: this.projectId,
      private_key_id: this.keyId,
      private_key: privateKey().export({ type: 'pkcs8', format: 'pem' }).toString(),
      client_email: this.email,
      client_id: '104729000000000000000',
      auth_uri: 'https://accounts.google.com/o/oauth2/auth',
      token_uri: tokenUri,
      universe_domain: 'googleapis.com',
    };
  }

  /**
   * Checks the assertion of a JWT-bearer grant: signature, issuer, audience, scope and a lifetime of at most an hour.
   * @param nowSeconds accepted current times, because a client may use real time while the simulator's clock is shifted
   */
  check(
    assertion: string,
    audience: string,
    nowSeconds: readonly number[],
  ): 'good' | 'invalid_grant' | 'invalid_scope' {
    const [header = '', claims = '', signature = ''] = assertion.split('.');
    const { alg } = decode(header);
    if (alg !== 'RS256') return 'invalid_grant';
    const signed = Buffer.from(`${header}.${claims}`);
    if (!verify('RSA-SHA256', signed, createPublicKey(privateKey()), Buffer.from(signature, 'base64url'))) {
      return 'invalid_grant';
    }
    const { iss, aud, scope, iat, exp } = decode(claims);
    if (iss !== this.email || aud !== audience) return 'invalid_grant';
    const [from, to] = [Number(iat), Number(exp)];
    if (!(to > from) || to - from > SECONDS_PER_HOUR) return 'invalid_grant';
    if (!nowSeconds.some((now) => from <= now + 300 && to > now)) return 'invalid_grant';
    return scope === CLOUD_PLATFORM ? 'good' : 'invalid_scope';
  }
}

function decode(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}
