import { createHash, randomBytes } from 'node:crypto';

/** Returns a new secret of 256 random bits with a prefix that leak scanners recognize. */
export function newSecret(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('hex')}`;
}

/** Returns the stored hash of a secret. Secrets have full entropy, so a fast hash is enough. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
