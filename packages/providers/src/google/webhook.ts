import type { WebhookAdapter, WebhookDelivery } from '../cloud/index.js';
import { isObject } from '../device-push/index.js';
import { isSame } from '../rest/index.js';
import { checkSignature } from './signature.js';
import { SignatureKeys } from './signature-keys.js';
import { SUBSCRIBED_TYPES } from './subscriber-types.js';
import { readNotifications } from './webhook-notifications.js';

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
