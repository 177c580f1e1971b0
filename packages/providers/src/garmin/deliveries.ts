import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type DeliveredItem,
  type DeliveryAdapter,
  type DeliveryHead,
  type DeliveryProof,
  type ProviderConfiguration,
  Tally,
} from '../cloud/index.js';
import { idOf, isObject } from '../payload/index.js';
import { callbackFaultOf, GARMIN_CALLBACKS } from './callbacks.js';
import { ACTIVITY_FILES } from './summaries/activity-file.js';
import { SECONDS_OF_ACTIVITY } from './summaries/activity-seconds.js';
import { SUMMARY_TYPES, summaryTypeOf } from './summaries/types.js';

const MEGABYTE = 1024 * 1024;
/** Summary types with a value for each second. */
const LONG: ReadonlySet<string> = new Set(['activityDetails', ACTIVITY_FILES]);

/** Name of the setting with the token, without the provider's prefix. */
export const WEBHOOK_TOKEN = 'WEBHOOK_TOKEN';

/**
 * The vendor pushes the data. Deliveries are not signed. They contain the client id, which proves nothing, because
 * every consent URL contains it. The URL in the vendor's portal contains a secret token.
 */
export const GARMIN_DELIVERIES: DeliveryAdapter = {
  authenticate,
  addressProof: { setting: WEBHOOK_TOKEN, parameter: 'token' },
  // Details of activities reach 100 MB.
  maxBytes: 128 * MEGABYTE,
  // The activity of a whole day, second by second.
  maxItemBytes: 48 * MEGABYTE,
  dataTypes: SUMMARY_TYPES.map(({ key, permission }) => ({ id: key, scopes: [permission] })),
  classify,
  callback: GARMIN_CALLBACKS,
  longList: (dataType) => (LONG.has(dataType) ? SECONDS_OF_ACTIVITY : undefined),
  records(dataType, item, whole, piece) {
    // Only the last piece counts the item. Every piece counts its own unreadable seconds.
    const isLast = piece?.isLast !== false;
    const tally = isLast ? whole : new Tally(dataType);
    const type = summaryTypeOf(dataType);
    const index = tally.next();
    const fault = isObject(item) ? callbackFaultOf(item) : undefined;
    if (fault !== undefined) {
      tally.reject(index, 'callbackURL', 'not_given', fault);
      return undefined;
    }
    if (type && isObject(item)) {
      const countSecond = (field: string) => whole.rejectUnreadable(index, field);
      return type.read(item, { tally, index, countSecond, ...(piece && { piece }) });
    }
    tally.reject(index, undefined, 'not_an_object');
    return undefined;
  },
};

function authenticate({ headers, query }: DeliveryHead, { clientId, values }: ProviderConfiguration): DeliveryProof {
  const sent = headers['garmin-client-id'];
  if (typeof sent !== 'string' || clientId === undefined || !isEqual(sent, clientId)) return 'refused';
  const token = values[WEBHOOK_TOKEN];
  if (token === undefined || token === '') return 'setting_missing';
  return isEqual(query.get('token') ?? '', token) ? 'proven' : 'refused';
}

/** Compares in constant time, independent of length and content. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function classify(dataType: string, item: unknown): DeliveredItem {
  if (!isObject(item)) return { kind: 'unusable' };
  const account = idOf(item.userId);
  if (dataType === 'deregistrations')
    return account === undefined ? { kind: 'unusable' } : { kind: 'deregistration', account };
  if (dataType === 'userPermissionsChange')
    return account === undefined ? { kind: 'unusable' } : { kind: 'consent', account };
  if (summaryTypeOf(dataType) === undefined) return { kind: 'ignored' };
  if (account === undefined) return { kind: 'unusable' };
  return typeof item.callbackURL === 'string'
    ? { kind: 'callback', account, url: item.callbackURL }
    : { kind: 'data', account };
}
