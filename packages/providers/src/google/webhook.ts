import { verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
  type ProviderConfiguration,
  type SignatureCheck,
  VendorError,
  type WebhookAdapter,
  type WebhookDelivery,
} from '../cloud/index.js';
import { isObject } from '../payload/index.js';
import { isSame } from '../rest/index.js';
import { SignatureKeys } from './signature-keys.js';
import { SUBSCRIBED_TYPES } from './subscriber-types.js';
import { readNotifications } from './webhook-notifications.js';

/** Current header name, and the name in older vendor libraries. */
const HEADERS = ['google-health-api-signature', 'x-healthapi-signature'];
/** Prefix before key ID and signature. */
const TINK_PREFIX = 0x01;
const PREFIX_BYTES = 5;
const MAX_HEADER = 512;

/** Google's notifications. They contain changed types and ranges, but no data. */
export function googleWebhook(keys = new SignatureKeys()): WebhookAdapter {
  return {
    secret: 'own',
    dataTypes: SUBSCRIBED_TYPES,
    authenticatesByHead: true,
    losesEvents: false,
    authenticate: ({ headers }, _rawBody, secrets) => hasValidBearerSecret(headers.authorization, secrets),
    read: readDelivery,
    checkSignature: (headers, rawBody, configuration) => checkSignature(keys, headers, rawBody, configuration),
  };
}

/**
 * True if the header is `Bearer ` followed by one of the secrets. Compares each secret in constant time.
 * @param header as Node returns it, with one character per byte
 */
function hasValidBearerSecret(header: string | undefined, secrets: readonly string[]): boolean {
  const sent = Buffer.from(header ?? '', 'latin1');
  let matches = false;
  for (const secret of secrets) {
    matches = (isSame(sent, Buffer.from(`Bearer ${secret}`, 'utf8')) && secret !== '') || matches;
  }
  return matches;
}

function readDelivery(body: unknown): WebhookDelivery {
  if (Array.isArray(body)) return notifications(body);
  if (!isObject(body)) return { kind: 'unreadable' };
  // 201 is the only status in both of the vendor's descriptions of the handshake.
  if (body.type === 'verification') return { kind: 'handshake', status: 201, body: { status: 'verified' } };
  return notifications([body]);
}

/** The vendor treats any status except 204 as a failure and redelivers for a week. */
function notifications(items: readonly unknown[]): WebhookDelivery {
  return { kind: 'notifications', status: 204, notifications: readNotifications(items, Date.now()) };
}

/**
 * Verifies the vendor's signature over the raw body (ECDSA on P-256 with SHA-256), in addition to the secret.
 * `WEBHOOK_SIGNATURE` selects the mode: `off` skips the check, `log` only logs a bad signature, `enforce` rejects it.
 */
async function checkSignature(
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
