import { createPublicKey, randomUUID, sign } from 'node:crypto';
import { rsaKeyOnDemand } from './rsa-key.js';

const privateKey = rsaKeyOnDemand();

/** Signs identity tokens with a key that signs nothing else. */
export class IdTokens {
  private readonly keyId = randomUUID().slice(0, 8);

  /** RS256 over the claims. */
  sign(claims: Record<string, unknown>): string {
    const header = encode({ alg: 'RS256', kid: this.keyId, typ: 'JWT' });
    const content = `${header}.${encode(claims)}`;
    return `${content}.${sign('RSA-SHA256', Buffer.from(content), privateKey()).toString('base64url')}`;
  }

  /** The public key as a JSON web key set. */
  keys(): unknown {
    const key = createPublicKey(privateKey()).export({ format: 'jwk' });
    return { keys: [{ ...key, kid: this.keyId, alg: 'RS256', use: 'sig' }] };
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
