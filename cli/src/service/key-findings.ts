import { listApiKeys } from '@healthd/contract';
import { MS_PER_DAY } from '@healthd/model';
import type { ApiKeyResponse } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { plainText } from '../output/text-width.js';
import { countText } from '../ui/amounts.js';
import { type Finding, failureFinding, ok, warning } from './findings.js';

/** A server that calls once a month has called by then. */
const UNUSED_DAYS = 90;
/** Long enough to give those who use it another key. */
const SOON_DAYS = 14;

/**
 * Whether API keys end soon, or are good for ever and used by no one.
 * @param clockAheadMs how far the clock of the service is ahead of this one
 */
export async function keyFindings(cli: Cli, clockAheadMs: number): Promise<Finding[]> {
  try {
    const client = await cli.client();
    return judgeKeys(await client.call(listApiKeys, { signal: cli.signal }), Date.now() + clockAheadMs);
  } catch (error) {
    return [failureFinding('API keys', error)];
  }
}

/**
 * The findings on keys; those that have expired already open nothing and are left out.
 * @param nowMs the time by the clock of the service
 */
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

/** Not a rotation: it ends the old key, and the new one expires when the old one would have. */
function replacementOf({ id, name, scopes }: ApiKeyResponse): string {
  const options = [`--name ${shellWord(name)}`, ...(scopes === null ? [] : [`--scopes ${scopes.join(',')}`])];
  return `healthctl keys create ${options.join(' ')} --expires <time>; once everything uses the new key: healthctl keys revoke ${id}`;
}

/** Whether a rotation made the other key in place of this one, and it works for longer. */
function succeeds(other: ApiKeyResponse, key: ApiKeyResponse): boolean {
  return other.id === key.replaced_by && endsAtMs(other) > endsAtMs(key);
}

/** A text that a shell takes as one word. */
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
