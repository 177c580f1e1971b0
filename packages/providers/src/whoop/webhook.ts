import { createHmac } from 'node:crypto';
import { MS_PER_DAY } from '@healthd/model';
import type { DeliveryHead, VendorNotification, WebhookAdapter, WebhookDelivery } from '../cloud/index.js';
import { idOf, isObject } from '../payload/index.js';
import { checkAge, isSame, numberIdOf } from '../rest/index.js';

/**
 * Length of the range to read for an item that is not stored yet, because an event contains no time. Two weeks of
 * nights, recoveries or workouts fit one page.
 */
const NEW_WITHIN_MS = 14 * MS_PER_DAY;
const TIMESTAMP = 'x-whoop-signature-timestamp';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Data types of an event. A recovery follows its sleep, and its event contains the sleep's id. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  'sleep.updated': ['sleep'],
  'sleep.deleted': ['sleep', 'recovery'],
  'recovery.updated': ['recovery'],
  'recovery.deleted': ['recovery'],
  'workout.updated': ['workout'],
  'workout.deleted': ['workout'],
};

/** WHOOP's events, which contain a user and an item, and may arrive late, twice and in any order. */
export const WHOOP_WEBHOOK: WebhookAdapter = {
  dataTypes: ['sleep', 'recovery', 'workout'],
  secret: 'client',
  authenticatesByHead: false,
  losesEvents: true,
  authenticate,
  checkSignature: async (headers, _rawBody, configuration) => checkAge(Number(headers[TIMESTAMP]), configuration),
  read: (body) => readDelivery(body, Date.now()),
};

/** Compares Base64 of HMAC-SHA256 over the time's text and the raw body. */
function authenticate({ headers }: DeliveryHead, rawBody: Buffer, secrets: readonly string[]): boolean {
  const sent = headers['x-whoop-signature'];
  const timestamp = headers[TIMESTAMP];
  if (typeof sent !== 'string' || typeof timestamp !== 'string') return false;
  let matches = false;
  for (const secret of secrets) {
    const own = createHmac('sha256', secret).update(timestamp).update(rawBody).digest('base64');
    matches = (isSame(sent, own) && secret !== '') || matches;
  }
  return matches;
}

/** Skips numeric ids of version 1 and unknown types. */
export function readDelivery(body: unknown, nowMs: number): WebhookDelivery {
  if (!isObject(body)) return { kind: 'unreadable' };
  const providerUserId = numberIdOf(body.user_id);
  const itemId = idOf(body.id);
  const kinds = typeof body.type === 'string' && Object.hasOwn(KINDS, body.type) ? KINDS[body.type] : undefined;
  const isKnown = providerUserId !== undefined && itemId !== undefined && UUID.test(itemId);
  const operation = String(body.type).endsWith('.deleted') ? 'delete' : 'upsert';
  const ranges = [{ startMs: nowMs - NEW_WITHIN_MS, endMs: nowMs }];
  const notifications: VendorNotification[] = isKnown
    ? (kinds ?? []).map((dataType) => ({ providerUserId, dataType, itemId, operation, ranges }))
    : [];
  return { kind: 'notifications', status: 204, notifications };
}
