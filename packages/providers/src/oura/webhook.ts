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

/** Where an item may be that is not stored as a session: an event names no day, and rings are read out within a week. */
const NEW_WITHIN_MS = 14 * MS_PER_DAY;
const TIMESTAMP = 'x-oura-timestamp';
/** Size limit of a body that is serialized again for the signature check. An event has 200 bytes. */
const MAX_COMPACTED_BYTES = 4096;

/** Oura's events: they name a person, a kind of data and a document. */
export const OURA_WEBHOOK: WebhookAdapter = {
  dataTypes: NOTIFIED_TYPES,
  secret: 'client',
  authenticatesByHead: false,
  losesEvents: true,
  answerChallenge,
  authenticate,
  checkSignature: async (headers, _rawBody, configuration) =>
    checkAge(Number(headers[TIMESTAMP]) * MS_PER_SECOND, configuration),
  read: (body) => readDelivery(body, Date.now()),
};

function answerChallenge(query: URLSearchParams, configuration: ProviderConfiguration): object | undefined {
  const token = verificationToken(configuration);
  const challenge = query.get('challenge');
  const isOurs = token !== undefined && isSame(query.get('verification_token') ?? '', token);
  return isOurs && challenge !== null ? { challenge } : undefined;
}

/**
 * Upper-case hex of HMAC-SHA256 over the text of the time and the body. The vendor's own sample signs the body serialized again
 * without blanks, so that form counts too.
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

/** Returns undefined for a body that is too large to be parsed before its sender is known. */
function compact(rawBody: Buffer): string | undefined {
  if (rawBody.length > MAX_COMPACTED_BYTES) return undefined;
  try {
    return JSON.stringify(JSON.parse(rawBody.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** Kinds of data and of change that no one knows are left out. */
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

/** A document of a day is not stored under the vendor's id: its days are read again after every kind of change. */
function changeOf(dataType: string, change: string, itemId: string) {
  const isSession = dataType === 'sleep' || dataType === 'workout';
  if (!isSession) return { operation: 'upsert' } as const;
  return { itemId, operation: change === 'delete' ? 'delete' : 'upsert' } as const;
}
