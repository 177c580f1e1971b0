import { createHash, randomBytes } from 'node:crypto';

/** A new secret of 256 random bits behind a prefix by which leak scanners know it. */
export function newSecret(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('hex')}`;
}

/** What is stored of a secret. The secrets have full entropy, so a fast hash is enough. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
