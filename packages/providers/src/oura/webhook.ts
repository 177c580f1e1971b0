import { createHmac } from 'node:crypto';
import { MS_PER_DAY, MS_PER_SECOND } from '@healthd/model';
import type {
  DeliveryHead,
  ProviderConfiguration,
  VendorNotification,
  WebhookAdapter,
  WebhookDelivery,
} from '../cloud/index.js';
import { idOf, isObject } from '../payload/index.js';
import { checkAge, isSame, verificationToken } from '../rest/index.js';
import { NOTIFIED_TYPES } from './notified-types.js';

/** Period to read for an event about a new item. Events contain no day, and rings are synced within a week. */
const NEW_WITHIN_MS = 14 * MS_PER_DAY;
const TIMESTAMP = 'x-oura-timestamp';
/** Size limit of a body that is serialized again for the signature check. An event has 200 bytes. */
const MAX_COMPACTED_BYTES = 4096;

/** Oura's events, which contain a user, a data type and a document. */
export const OURA_WEBHOOK: WebhookAdapter = {
  dataTypes: NOTIFIED_TYPES,
  secret: 'client',
  authenticatesByHead: false,
  losesEvents: true,
  respondToChallenge,
  authenticate,
  checkSignature: async (headers, _rawBody, configuration) =>
    checkAge(Number(headers[TIMESTAMP]) * MS_PER_SECOND, configuration),
  read: (body) => readDelivery(body, Date.now()),
};

function respondToChallenge(query: URLSearchParams, configuration: ProviderConfiguration): object | undefined {
  const token = verificationToken(configuration);
  const challenge = query.get('challenge');
  const isVerified = token !== undefined && isSame(query.get('verification_token') ?? '', token);
  return isVerified && challenge !== null ? { challenge } : undefined;
}

/**
 * Compares the upper-case hex of HMAC-SHA256 over the time's text and the body. The vendor's sample signs the body
 * serialized again without blanks, so that form is valid too.
 */
function authenticate({ headers }: DeliveryHead, rawBody: Buffer, secrets: readonly string[]): boolean {
  const sent = headers['x-oura-signature'];
  const timestamp = headers[TIMESTAMP];
  if (typeof sent !== 'string' || typeof timestamp !== 'string') return false;
  const signature = sent.toUpperCase();
  if (isSigned(signature, timestamp, rawBody, secrets)) return true;
  const compacted = compact(rawBody);
  return compacted !== undefined && isSigned(signature, timestamp, compacted, secrets);
}

function isSigned(signature: string, timestamp: string, body: Buffer | string, secrets: readonly string[]): boolean {
  let matches = false;
  for (const secret of secrets) {
    const own = createHmac('sha256', secret).update(timestamp).update(body).digest('hex').toUpperCase();
    matches = (isSame(signature, own) && secret !== '') || matches;
  }
  return matches;
}

/** Returns undefined for a body that is too large to parse before authentication. */
function compact(rawBody: Buffer): string | undefined {
  if (rawBody.length > MAX_COMPACTED_BYTES) return undefined;
  try {
    return JSON.stringify(JSON.parse(rawBody.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** Skips unknown data types and change types. */
export function readDelivery(body: unknown, nowMs: number): WebhookDelivery {
  if (!isObject(body)) return { kind: 'unreadable' };
  const providerUserId = idOf(body.user_id);
  const itemId = idOf(body.object_id);
  const { data_type: dataType, event_type: change } = body;
  const isKnown = typeof dataType === 'string' && (change === 'create' || change === 'update' || change === 'delete');
  const ranges = [{ startMs: nowMs - NEW_WITHIN_MS, endMs: nowMs }];
  const notifications: VendorNotification[] =
    isKnown && providerUserId !== undefined && itemId !== undefined
      ? [{ providerUserId, dataType, ...changeOf(dataType, change, itemId), ranges }]
      : [];
  return { kind: 'notifications', status: 200, notifications };
}

/** Daily documents are not stored under the vendor's id, so their days are read again after every change. */
function changeOf(dataType: string, change: string, itemId: string) {
  const isSession = dataType === 'sleep' || dataType === 'workout';
  if (!isSession) return { operation: 'upsert' } as const;
  return { itemId, operation: change === 'delete' ? 'delete' : 'upsert' } as const;
}
