import { type CallbackAdapter, VendorError } from '../cloud/index.js';
import { isObject, type PayloadObject, textOf } from '../payload/index.js';
import { ACTIVITY_FILES, activityFileItem } from './summaries/activity-file.js';

/** An activity of a day, second by second. */
const MAX_BYTES = 48 * 1024 * 1024;
/** Member of an item that stands for data that could not be fetched. */
const FAULT = 'callbackFault';

/**
 * Pings: the operator chose them in the vendor's portal, and files of activities come in no other way. The address works for
 * 24 hours with the person's token. It is followed only below the configured API, because the token goes with the request.
 */
export const GARMIN_CALLBACKS: CallbackAdapter = {
  request(url, { addresses }) {
    if (!URL.canParse(url) || !URL.canParse(addresses.api)) return undefined;
    const [address, api] = [new URL(url), new URL(addresses.api)];
    const base = api.pathname.replace(/\/+$/, '');
    const isVendors =
      address.origin === api.origin &&
      address.username === '' &&
      address.password === '' &&
      address.pathname.startsWith(`${base}/`) &&
      // One segment: below lie the requests for the past and what concerns the consent.
      /^\/\w+$/.test(address.pathname.slice(base.length));
    if (!isVendors) return undefined;
    return {
      path: address.pathname.slice(base.length),
      query: Object.fromEntries(address.searchParams),
      answer: 'bytes',
      maxBytes: MAX_BYTES,
    };
  },
  itemsOf(dataType, announced, bytes) {
    if (dataType === ACTIVITY_FILES) return Buffer.from(JSON.stringify([activityFileItem(announced, bytes)]));
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    // An empty answer says that nothing is left of what was announced.
    if (text.length === 0) return Buffer.from('[]');
    if (text.toString('latin1', 0, 64).trimStart()[0] !== '[') throw new VendorError({ code: 'invalid_answer' });
    return text;
  },
  failed(announced, code) {
    const { callbackURL: _, ...item } = isObject(announced) ? announced : {};
    return { ...item, [FAULT]: code };
  },
};

/** Reason why the data of an item could not be fetched. */
export function callbackFaultOf(item: PayloadObject): string | undefined {
  return textOf(item[FAULT]);
}
