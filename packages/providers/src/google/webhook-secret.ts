import { isSame } from '../rest/index.js';

/**
 * Whether the header is `Bearer ` and one of the secrets. All of them are compared, in constant time.
 * @param header as Node gives it: each of its characters is one byte of the wire
 */
export function hasValidBearerSecret(header: string | undefined, secrets: readonly string[]): boolean {
  const sent = Buffer.from(header ?? '', 'latin1');
  let matches = false;
  for (const secret of secrets) {
    matches = (isSame(sent, Buffer.from(`Bearer ${secret}`, 'utf8')) && secret !== '') || matches;
  }
  return matches;
}
