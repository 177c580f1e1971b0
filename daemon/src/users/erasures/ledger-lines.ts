import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';

/**
 * One erased user. The id itself is not stored, only its keyed hash: it is enough to recognise the user in an old
 * backup, and not to look anyone up. The key is beside the hash, because a ledger must be readable for as long as the
 * oldest backup exists, even if keys of the service were changed meanwhile; ids are random, so that no hash can be
 * guessed.
 */
export interface ErasureEntry {
  /** ISO 8601. */
  erasedAt: string;
  /** base64url of 32 bytes; entries of one ledger share few. */
  key: string;
  /** base64url of HMAC-SHA256 of the user's id. */
  hash: string;
}

const digest = z.string().regex(/^[\w-]{43}$/);
const lineSchema = z.object({ erased_at: z.iso.datetime(), key: digest, hash: digest });

/** A new key for entries. */
export function newLedgerKey(): string {
  return randomBytes(32).toString('base64url');
}

export function erasureEntry(userId: string, key: string, at: Date): ErasureEntry {
  return { erasedAt: at.toISOString(), key, hash: hashOf(userId, key) };
}

/** One JSON object a line. */
export function ledgerText(entries: readonly ErasureEntry[]): string {
  return entries.map(({ erasedAt, key, hash }) => `${JSON.stringify({ erased_at: erasedAt, key, hash })}\n`).join('');
}

/** Entries of a ledger, each once. A line that was cut off by a crash belongs to an erasure that was never answered. */
export function parseLedger(text: string): ErasureEntry[] {
  const entries = text.split('\n').flatMap((line) => {
    const read = lineSchema.safeParse(parsed(line));
    return read.success ? [{ erasedAt: read.data.erased_at, key: read.data.key, hash: read.data.hash }] : [];
  });
  return [...new Map(entries.map((entry) => [entry.hash, entry])).values()];
}

/** Those of the users whom the entries name, with their entry. */
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
