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

/** The header's name today and in older libraries of the vendor. */
const HEADERS = ['google-health-api-signature', 'x-healthapi-signature'];
/** Key id and signature follow. */
const TINK_PREFIX = 0x01;
const PREFIX_BYTES = 5;
const MAX_HEADER = 512;

/** Google's notifications: they name what changed and carry no data. */
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
 * Whether the header is `Bearer ` and one of the secrets. All of them are compared, in constant time.
 * @param header as Node gives it: each of its characters is one byte of the wire
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
  // 201 is the one status that both of the vendor's descriptions of the handshake accept.
  if (body.type === 'verification') return { kind: 'handshake', status: 201, body: { status: 'verified' } };
  return notifications([body]);
}

/** Anything but 204 counts as a failure with the vendor and is delivered again for a week. */
function notifications(items: readonly unknown[]): WebhookDelivery {
  return { kind: 'notifications', status: 204, notifications: readNotifications(items, Date.now()) };
}

/**
 * Checks the vendor's own signature over the raw body (ECDSA on P-256 with SHA-256), a second layer behind the secret.
 * `WEBHOOK_SIGNATURE` says what follows: `off` nothing is checked, `log` a bad one is only logged, `enforce` it is refused.
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
