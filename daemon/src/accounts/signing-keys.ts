import { hkdfSync } from 'node:crypto';

/** Purposes of keys derived from SIGNING_KEY. A key never serves two purposes. */
export type KeyPurpose =
  | 'developer-access'
  | 'sdk-access'
  | 'refresh-successor'
  | 'invitation-code'
  | 'webhook-secret'
  | 'upload-address';

/** Derives the 32-byte key of one purpose (HKDF-SHA-256, RFC 5869). */
export function deriveKey(signingKey: Uint8Array, purpose: KeyPurpose): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', signingKey, new Uint8Array(0), `healthd/${purpose}/v1`, 32));
}
