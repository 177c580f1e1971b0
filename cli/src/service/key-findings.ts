import { listApiKeys } from '@healthd/contract';
import { MS_PER_DAY } from '@healthd/model';
import type { ApiKeyResponse } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { plainText } from '../output/text-width.js';
import { countText } from '../ui/amounts.js';
import { type Finding, failureFinding, ok, warning } from './findings.js';

/** Days without use before a warning. Longer than a month, because some servers call once a month. */
const UNUSED_DAYS = 90;
/** Time that is needed to replace a key everywhere. */
const SOON_DAYS = 14;

/**
 * Checks for API keys that expire soon, or that never expire and are unused.
 * @param clockAheadMs how far the service's clock is ahead
 */
export async function keyFindings(cli: Cli, clockAheadMs: number): Promise<Finding[]> {
  try {
    const client = await cli.client();
    return judgeKeys(await client.call(listApiKeys, { signal: cli.signal }), Date.now() + clockAheadMs);
  } catch (error) {
    return [failureFinding('API keys', error)];
  }
}

/** Returns the findings on keys. Ignores expired keys. @param nowMs time of the service's clock */
export function judgeKeys(all: readonly ApiKeyResponse[], nowMs: number): Finding[] {
  const keys = all.filter((key) => endsAtMs(key) > nowMs);
  const ending = keys.filter(
    (key) => endsAtMs(key) - nowMs < SOON_DAYS * MS_PER_DAY && !keys.some((other) => succeeds(other, key)),
  );
  const unused = keys.filter((key) => key.expires_at === null && nowMs - lastUseMs(key) > UNUSED_DAYS * MS_PER_DAY);
  const findings = [
    ...ending.map((key) => warning('API keys', `${nameOf(key)} expires at ${key.expires_at}`, replacementOf(key))),
    ...unused.map((key) =>
      warning(
        'API keys',
        `${nameOf(key)} never expires, and has not been used for ${UNUSED_DAYS} days`,
        `healthctl keys revoke ${key.id}`,
      ),
    ),
  ];
  if (findings.length > 0) return findings;
  const endless = keys.filter(({ expires_at }) => expires_at === null).length;
  return [
    ok('API keys', `${countText(keys.length, 'key')} (${endless} never expire), none unused for ${UNUSED_DAYS} days`),
  ];
}

/**
 * Returns the commands that replace a key that expires soon. A rotation would not help, because the new key inherits
 * the old key's expiry.
 */
function replacementOf({ id, name, scopes }: ApiKeyResponse): string {
  const options = [`--name ${shellWord(name)}`, ...(scopes === null ? [] : [`--scopes ${scopes.join(',')}`])];
  return `healthctl keys create ${options.join(' ')} --expires <time>; once everything uses the new key: healthctl keys revoke ${id}`;
}

/** True if a rotation replaced this key with the other key, which expires later. */
function succeeds(other: ApiKeyResponse, key: ApiKeyResponse): boolean {
  return other.id === key.replaced_by && endsAtMs(other) > endsAtMs(key);
}

/** Quotes a text as one shell word. */
function shellWord(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${plainText(text).replaceAll("'", String.raw`'\''`)}'`;
}

function endsAtMs({ expires_at }: ApiKeyResponse): number {
  return expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at);
}

function lastUseMs({ last_used_at, created_at }: ApiKeyResponse): number {
  return Date.parse(last_used_at ?? created_at);
}

function nameOf({ name, prefix, last_four }: ApiKeyResponse): string {
  return `${name || 'a key without a name'} (${prefix}…${last_four})`;
}
