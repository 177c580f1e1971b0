import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_SECOND } from '@healthd/model';
import type {
  DeliveryHead,
  ProviderConfiguration,
  SignatureCheck,
  VendorNotification,
  WebhookAdapter,
  WebhookDelivery,
} from '../cloud/index.js';
import { isObject, type PayloadObject } from '../payload/index.js';
import { checkAge, isSame, numberIdOf, verificationToken } from '../rest/index.js';

export const ACTIVITY = 'activity';
/** Search range for an activity that cannot be requested by id. Most activities are uploaded within days. */
const NEW_WITHIN_MS = 14 * MS_PER_DAY;
const SIGNATURE = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

/** Parameter of the registered URL that proves an event. */
export const TOKEN = 'token';

/**
 * Returns the value of {@link TOKEN}. The vendor does not sign events, so this secret token authenticates them. It is
 * derived from the OAuth client's secret and does not reveal it.
 */
export function callbackToken(clientSecret: string): string {
  return createHmac('sha256', clientSecret).update('address of the webhook').digest('base64url');
}

/**
 * Strava's events, which contain an athlete and an activity. The service does not trust their content and requests it
 * from the vendor.
 */
export const STRAVA_WEBHOOK: WebhookAdapter = {
  dataTypes: [ACTIVITY],
  secret: 'client',
  authenticatesByHead: true,
  losesEvents: true,
  respondToChallenge,
  authenticate,
  checkSignature: async (headers, rawBody, configuration) => checkSignature(headers, rawBody, configuration),
  read: (body) => readDelivery(body, Date.now()),
};

function respondToChallenge(query: URLSearchParams, configuration: ProviderConfiguration): object | undefined {
  const token = verificationToken(configuration);
  const challenge = query.get('hub.challenge');
  const isVerified = token !== undefined && isSame(query.get('hub.verify_token') ?? '', token);
  return isVerified && query.get('hub.mode') === 'subscribe' && challenge !== null
    ? { 'hub.challenge': challenge }
    : undefined;
}

function authenticate({ query }: DeliveryHead, _rawBody: Buffer, secrets: readonly string[]): boolean {
  const sent = query.get(TOKEN) ?? '';
  let matches = false;
  for (const secret of secrets) matches = (isSame(sent, callbackToken(secret)) && secret !== '') || matches;
  return matches;
}

/**
 * Checks the signature only if the operator has the key. The vendor documents neither the signature nor how to get a
 * key.
 */
function checkSignature(
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
  { values }: Pick<ProviderConfiguration, 'values'>,
): SignatureCheck {
  const key = values.WEBHOOK_SIGNING_KEY;
  if (key === undefined) return { verdict: 'accept' };
  const sent = headers['x-strava-signature'];
  if (sent === undefined) return { verdict: 'refuse', problem: 'missing' };
  const [, seconds, signature] = SIGNATURE.exec(String(sent)) ?? [];
  if (seconds === undefined || signature === undefined) return { verdict: 'refuse', problem: 'malformed' };
  const own = createHmac('sha256', key).update(`${seconds}.`).update(rawBody).digest('hex');
  if (!isSame(signature, own)) return { verdict: 'refuse', problem: 'wrong' };
  return checkAge(Number(seconds) * MS_PER_SECOND, { values });
}

/** Skips unknown events. */
export function readDelivery(body: unknown, nowMs: number): WebhookDelivery {
  if (!isObject(body)) return { kind: 'unreadable' };
  const notification = notificationOf(body, nowMs);
  return { kind: 'notifications', status: 200, notifications: notification ? [notification] : [] };
}

function notificationOf(event: PayloadObject, nowMs: number): VendorNotification | undefined {
  const providerUserId = numberIdOf(event.owner_id);
  const itemId = numberIdOf(event.object_id);
  const { object_type: object, aspect_type: change, updates } = event;
  if (providerUserId === undefined) return undefined;
  if (object === 'athlete' && change === 'update' && isObject(updates) && String(updates.authorized) === 'false') {
    // A reported revocation is not trusted. A read shows whether the vendor still accepts the token.
    const ranges = [{ startMs: nowMs - MS_PER_HOUR, endMs: nowMs }];
    return { providerUserId, dataType: ACTIVITY, operation: 'upsert', ranges };
  }
  const isKnown = change === 'create' || change === 'update' || change === 'delete';
  if (object !== 'activity' || !isKnown || itemId === undefined) return undefined;
  return {
    providerUserId,
    dataType: ACTIVITY,
    itemId,
    operation: change === 'delete' ? 'delete' : 'upsert',
    ranges: [{ startMs: nowMs - NEW_WITHIN_MS, endMs: nowMs }],
  };
}
