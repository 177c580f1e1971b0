import { createHmac } from 'node:crypto';
import { dayNumber, dayStartMs, MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import type { DeliveryHead, TimeRange, VendorNotification, WebhookAdapter, WebhookDelivery } from '../cloud/index.js';
import { isObject, type PayloadObject } from '../payload/index.js';
import { isSame, numberIdOf } from '../rest/index.js';
import {
  ACTIVITIES,
  ALERTNESS,
  BEDTIME,
  CARDIO_LOAD,
  EXERCISES,
  exerciseIdOf,
  HEART_RATE,
  LISTED_DAYS,
  PHYSICAL_INFO,
  RECHARGE,
  SLEEP,
} from './pull/requests.js';

/** Event that checks the webhook's URL. The vendor sends it before the secret exists. */
const PING = 'PING';
/** A ping contains an event and a time: 55 bytes. */
const MAX_PING_BYTES = 256;
/**
 * Possible times of a new exercise: the vendor lists exercises for this long. An exercise also changes its day's load,
 * but the event does not name the day.
 */
const NEW_WITHIN_MS = LISTED_DAYS * MS_PER_DAY;
/** Range of an event without dates. */
const LAST_DAYS_MS = 7 * MS_PER_DAY;

/**
 * Data types that an event affects. The event names the first type. The vendor sends no events for recharges and loads:
 * a recharge changes with its night, a load with nights and exercises.
 */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  EXERCISE: [EXERCISES, CARDIO_LOAD],
  SLEEP: [SLEEP, RECHARGE, CARDIO_LOAD],
  CONTINUOUS_HEART_RATE: [HEART_RATE],
  ACTIVITY_SUMMARY: [ACTIVITIES],
  SLEEP_WISE_ALERTNESS: [ALERTNESS],
  SLEEP_WISE_CIRCADIAN_BEDTIME: [BEDTIME],
  PHYSICAL_INFORMATION: [PHYSICAL_INFO],
};

/** Events that the webhook subscribes to. */
export const EVENTS: readonly string[] = Object.keys(KINDS);

/** Polar's events. They contain a user and an exercise or dates. The URL in them is not used. */
export const POLAR_WEBHOOK: WebhookAdapter = {
  dataTypes: [...new Set(Object.values(KINDS).flat())],
  secret: 'given',
  authenticatesByHead: false,
  maxUnsignedHandshakeBytes: MAX_PING_BYTES,
  losesEvents: true,
  authenticate,
  read: (body) => readDelivery(body, Date.now()),
};

/** Verifies the signature: hex HMAC-SHA256 of the raw body. Pings are not signed. */
function authenticate({ headers }: DeliveryHead, rawBody: Buffer, secrets: readonly string[]): boolean {
  const sent = headers['polar-webhook-signature'];
  if (typeof sent !== 'string') return false;
  let matches = false;
  for (const secret of secrets) {
    const own = createHmac('sha256', secret).update(rawBody).digest('hex');
    matches = (isSame(sent.toLowerCase(), own) && secret !== '') || matches;
  }
  return matches;
}

/** Reads a delivery. Skips unknown events and events without a user. */
export function readDelivery(body: unknown, nowMs: number): WebhookDelivery {
  if (!isObject(body)) return { kind: 'unreadable' };
  if (body.event === PING) return { kind: 'handshake', status: 200, body: { status: 'ok' } };
  const providerUserId = numberIdOf(body.user_id);
  const { event } = body;
  const kinds = typeof event === 'string' && Object.hasOwn(KINDS, event) ? (KINDS[event] ?? []) : [];
  const notifications: VendorNotification[] =
    providerUserId === undefined
      ? []
      : kinds.map((dataType) => ({ providerUserId, operation: 'upsert', ...changeOf(dataType, body, nowMs) }));
  return { kind: 'notifications', status: 200, notifications };
}

function changeOf(
  dataType: string,
  body: PayloadObject,
  nowMs: number,
): Pick<VendorNotification, 'dataType' | 'itemId' | 'ranges'> {
  const back = (ms: number) => [{ startMs: nowMs - ms, endMs: nowMs }];
  if (dataType === EXERCISES) {
    const itemId = exerciseIdOf(body.entity_id);
    return { dataType, ...(itemId !== undefined && { itemId }), ranges: back(NEW_WITHIN_MS) };
  }
  if (dataType === PHYSICAL_INFO) return { dataType, ranges: back(MS_PER_HOUR) };
  const range = rangeOf(body.date ?? body.from, body.date ?? body.to);
  return { dataType, ranges: range ? [range] : back(body.event === 'EXERCISE' ? NEW_WITHIN_MS : LAST_DAYS_MS) };
}

/**
 * Returns the range of two dates in every time zone. It includes the evening before, because a night has the date of
 * its morning.
 */
function rangeOf(from: unknown, to: unknown): TimeRange | undefined {
  const first = typeof from === 'string' ? dayNumber(from.slice(0, 10)) : undefined;
  const last = typeof to === 'string' ? dayNumber(to.slice(0, 10)) : undefined;
  if (first === undefined || last === undefined || last < first || last - first > 366) return undefined;
  return { startMs: dayStartMs(first - 1), endMs: dayStartMs(last + 2) };
}
