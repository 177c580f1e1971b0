import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/**
 * Storage location of an encrypted secret. The secret can be decrypted only there, so it cannot be swapped for another
 * row's secret.
 */
export interface SealedField {
  table: string;
  column: string;
  row: string;
  /** Owner of the secret, if it belongs to a user. */
  userId?: string;
}

/** Encrypts secrets that the service must be able to read again, with ENCRYPTION_KEY. */
export interface Vault {
  seal(field: SealedField, secret: string): string;
  /** Decrypts a text; undefined if it was sealed for another location or with a missing key, or is damaged. */
  open(field: SealedField, sealed: string): string | undefined;
  /** Fingerprint of the current key. It is the second part of each text that is sealed with this key. */
  readonly currentKeyId: string;
  /** True if the vault has the key with this fingerprint. */
  hasKey(keyId: string): boolean;
}

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface VaultKey {
  id: string;
  key: Uint8Array;
}

/**
 * Creates a vault that uses AES-256-GCM and a random nonce per text. A sealed text is `v1.<key id>.<nonce, ciphertext
 * and tag>` in base64url. Version, key and location are authenticated.
 * @param keys 32 bytes each: the first key seals, every key opens
 */
export function createVault(keys: readonly [Uint8Array, ...Uint8Array[]]): Vault {
  const [current, ...older] = keys.map((key) => ({ id: keyFingerprint(key), key })) as [VaultKey, ...VaultKey[]];
  const byId = new Map([...older, current].map((known) => [known.id, known]));
  return {
    currentKeyId: current.id,
    hasKey: (keyId) => byId.has(keyId),
    seal(field, secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current.key, nonce);
      cipher.setAAD(authenticated(current, field));
      const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${VERSION}.${current.id}.${sealed.toString('base64url')}`;
    },
    open(field, sealed) {
      const [version, id = '', text = ''] = sealed.split('.');
      const known = byId.get(id);
      const bytes = Buffer.from(text, 'base64url');
      if (version !== VERSION || !known || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv(CIPHER, known.key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(authenticated(known, field));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const secret = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
        return Buffer.concat(secret).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

/** Identifies a key without revealing it. */
export function keyFingerprint(key: Uint8Array): string {
  return createHash('sha256').update('healthd/key-id/').update(key).digest('hex').slice(0, 8);
}

function authenticated({ id }: VaultKey, { table, column, row, userId }: SealedField): Buffer {
  return Buffer.from(JSON.stringify([VERSION, id, table, column, row, userId ?? null]));
}
