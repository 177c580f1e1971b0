import { verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type ProviderConfiguration, type SignatureCheck, VendorError } from '../cloud/index.js';
import type { SignatureKeys } from './signature-keys.js';

/** The header's name today and in older libraries of the vendor. */
const HEADERS = ['google-health-api-signature', 'x-healthapi-signature'];
/** Key id and signature follow. */
const TINK_PREFIX = 0x01;
const PREFIX_BYTES = 5;
const MAX_HEADER = 512;

/**
 * Checks the vendor's own signature over the raw body (ECDSA on P-256 with SHA-256), a second layer behind the secret.
 * `WEBHOOK_SIGNATURE` says what follows: `off` nothing is checked, `log` a bad one is only logged, `enforce` it is refused.
 */
export async function checkSignature(
  keys: SignatureKeys,
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
  { values, addresses }: ProviderConfiguration,
): Promise<SignatureCheck> {
  const mode = values.WEBHOOK_SIGNATURE ?? 'off';
  if (mode !== 'log' && mode !== 'enforce') return { verdict: 'accept' };
  const problem = await problemOf(keys, addresses.keyset, headers, rawBody);
  if (problem === undefined || mode === 'log') return { verdict: 'accept', problem };
  return { verdict: problem === 'keys_unavailable' ? 'later' : 'refuse', problem };
}

async function problemOf(
  keys: SignatureKeys,
  keyset: string | undefined,
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
): Promise<SignatureCheck['problem']> {
  const header = HEADERS.map((name) => headers[name]).find((value) => value !== undefined);
  if (header === undefined) return 'missing';
  if (typeof header !== 'string' || header.length > MAX_HEADER) return 'malformed';
  const bytes = Buffer.from(header, 'base64');
  if (bytes.length <= PREFIX_BYTES || bytes[0] !== TINK_PREFIX) return 'malformed';
  try {
    const key = await keys.find(keyset, bytes.readUInt32BE(1));
    if (key === undefined) return 'unknown_key';
    return verify('sha256', rawBody, key, bytes.subarray(PREFIX_BYTES)) ? undefined : 'wrong';
  } catch (error) {
    if (error instanceof VendorError) return 'keys_unavailable';
    throw error;
  }
}
