import { type KeyObject, sign } from 'node:crypto';
import { SECONDS_PER_HOUR } from '@healthd/model';

/** What an assertion of a service account says (RFC 7523). */
export interface Assertion {
  email: string;
  keyId?: string;
  privateKey: KeyObject;
  scope: string;
  /** The token endpoint, as the key file names it. */
  audience: string;
  nowMs: number;
}

/** The longest life that the vendor accepts. */
const LIFE_SECONDS = SECONDS_PER_HOUR;

/** A JWT signed by RS256 that is exchanged for an access token. */
export function signAssertion({ email, keyId, privateKey, scope, audience, nowMs }: Assertion): string {
  const issuedAt = Math.floor(nowMs / 1000);
  const content = [
    { alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) },
    { iss: email, scope, aud: audience, iat: issuedAt, exp: issuedAt + LIFE_SECONDS },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`;
}
