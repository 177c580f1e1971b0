import { createHmac } from 'node:crypto';
import type { BodySignature, DeliveredItem, DeliveredMessageItem, DeliveryAdapter } from '../cloud/index.js';
import { idOf, isObject } from '../payload/index.js';
import { isSame } from '../rest/index.js';
import { SCOPE } from './oauth.js';
import { deliveredActivity } from './records/activity.js';
import { deliveredRecovery } from './records/recovery.js';
import { deliveredSleep } from './records/sleep.js';
import { deliveredWorkout } from './records/workout.js';
import { webhookSecretOf } from './settings.js';

const MEGABYTE = 1024 * 1024;
const SIGNATURE = 'x-hmac-sha256-signature';
/** Lower-case hex of HMAC-SHA256. */
const DIGEST = /^[0-9a-f]{64}$/;

/** Message types that carry samples, with their data type. */
const SAMPLES: Readonly<Record<string, string>> = {
  SUUNTO_247_SLEEP_CREATED: 'sleep',
  SUUNTO_247_ACTIVITY_CREATED: 'activity',
  SUUNTO_247_RECOVERY_CREATED: 'recovery',
};

/** Readers by data type. */
const READERS = {
  workouts: deliveredWorkout,
  sleep: deliveredSleep,
  activity: deliveredActivity,
  recovery: deliveredRecovery,
};

/**
 * The vendor's notifications, which carry the data. The vendor sends no changes or deletions. Once the vendor has
 * paused all notifications, unaccepted notifications are lost.
 */
export const SUUNTO_DELIVERIES: DeliveryAdapter = {
  authenticate: ({ headers }, configuration) =>
    webhookSecretOf(configuration) !== undefined && DIGEST.test(String(headers[SIGNATURE])) ? 'proven' : 'refused',
  signature: ({ headers }, configuration) => signatureOf(String(headers[SIGNATURE]), webhookSecretOf(configuration)),
  losesDeliveries: true,
  // Months of ten-minute records.
  maxBytes: 4 * MEGABYTE,
  maxItemBytes: 4 * MEGABYTE,
  dataTypes: Object.keys(READERS).map((id) => ({ id, scopes: [SCOPE] })),
  itemsOf,
  classify,
  records(dataType, item, tally) {
    if (isObject(item) && isKind(dataType)) return READERS[dataType](item.data, tally);
    tally.reject(tally.next(), undefined, 'not_an_object');
    return undefined;
  },
};

function signatureOf(sent: string, secret: string | undefined): BodySignature {
  const own = createHmac('sha256', secret ?? '');
  return {
    update: (bytes) => void own.update(bytes),
    isGood: () => isSame(sent, own.digest('hex')) && secret !== undefined,
  };
}

/** A message about routes, or of a future type, has no items. */
function itemsOf(message: unknown): readonly DeliveredMessageItem[] {
  if (!isObject(message) || typeof message.type !== 'string') return [];
  const { type, username, samples, workout, gear } = message;
  if (type === 'WORKOUT_CREATED') {
    const data = isObject(workout) ? { ...workout, ...(isObject(gear) && { gear }) } : workout;
    return [{ dataType: 'workouts', item: { username, data } }];
  }
  const dataType = Object.hasOwn(SAMPLES, type) ? SAMPLES[type] : undefined;
  if (dataType === undefined || !Array.isArray(samples)) return [];
  return samples.map((data: unknown) => ({ dataType, item: { username, data } }));
}

function classify(dataType: string, item: unknown): DeliveredItem {
  if (!isKind(dataType)) return { kind: 'ignored' };
  const account = isObject(item) ? idOf(item.username) : undefined;
  return account === undefined ? { kind: 'unusable' } : { kind: 'data', account };
}

function isKind(dataType: string): dataType is keyof typeof READERS {
  return Object.hasOwn(READERS, dataType);
}
