import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';

/**
 * One erased user. Contains only a keyed hash of the ID, which is enough to find the user in an old backup, but not to
 * identify anyone otherwise. The key is stored with the hash, because a ledger must stay readable as long as the oldest
 * backup exists, even if the service's keys change. IDs are random, so hashes cannot be guessed.
 */
export interface ErasureEntry {
  /** Time of the erasure in ISO 8601 format. */
  erasedAt: string;
  /** Key of the hash: 32 bytes in base64url. Most entries of a ledger share one key. */
  key: string;
  /** HMAC-SHA256 of the user's ID in base64url. */
  hash: string;
}

const digest = z.string().regex(/^[\w-]{43}$/);
const lineSchema = z.object({ erased_at: z.iso.datetime(), key: digest, hash: digest });

/** Returns a new key for entries. */
export function newLedgerKey(): string {
  return randomBytes(32).toString('base64url');
}

export function erasureEntry(userId: string, key: string, at: Date): ErasureEntry {
  return { erasedAt: at.toISOString(), key, hash: hashOf(userId, key) };
}

/** Formats entries as one JSON object per line. */
export function ledgerText(entries: readonly ErasureEntry[]): string {
  return entries.map(({ erasedAt, key, hash }) => `${JSON.stringify({ erased_at: erasedAt, key, hash })}\n`).join('');
}

/**
 * Parses a ledger and removes duplicates. Ignores a line that a crash truncated, because that erasure was never
 * acknowledged.
 */
export function parseLedger(text: string): ErasureEntry[] {
  const entries = text.split('\n').flatMap((line) => {
    const read = lineSchema.safeParse(parsed(line));
    return read.success ? [{ erasedAt: read.data.erased_at, key: read.data.key, hash: read.data.hash }] : [];
  });
  return [...new Map(entries.map((entry) => [entry.hash, entry])).values()];
}

/** Returns the users with an entry in the ledger, each with that entry. */
export function erasedAmong<User extends { id: string }>(
  users: readonly User[],
  entries: readonly ErasureEntry[],
): { user: User; entry: ErasureEntry }[] {
  const byHash = new Map(entries.map((entry) => [entry.hash, entry]));
  const keys = [...new Set(entries.map(({ key }) => key))];
  return users.flatMap((user) => {
    const entry = keys.map((key) => byHash.get(hashOf(user.id, key))).find((found) => found !== undefined);
    return entry ? [{ user, entry }] : [];
  });
}

function hashOf(userId: string, key: string): string {
  return createHmac('sha256', Buffer.from(key, 'base64url')).update(userId.toLowerCase()).digest('base64url');
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
