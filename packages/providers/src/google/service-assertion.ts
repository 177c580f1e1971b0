import type { KeyObject } from 'node:crypto';
import { SECONDS_PER_HOUR } from '@healthd/model';
import { SignJWT } from 'jose';

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
export function signAssertion({ email, keyId, privateKey, scope, audience, nowMs }: Assertion): Promise<string> {
  const issuedAt = Math.floor(nowMs / 1000);
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: keyId })
    .setIssuer(email)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFE_SECONDS)
    .sign(privateKey);
}
