import { type CallbackAdapter, VendorError } from '../cloud/index.js';
import { isObject, type PayloadObject, textOf } from '../payload/index.js';
import { ACTIVITY_FILES, activityFileItems } from './summaries/activity-file.js';

/** Maximum size: the activity of a whole day, second by second. */
const MAX_BYTES = 48 * 1024 * 1024;
/** Member of an item that replaces data that could not be fetched. */
const FAULT = 'callbackFault';

/**
 * Pings, if the operator chose them in the vendor's portal. Activity files arrive only by ping. The URL works for 24
 * hours with the user's token. The token is sent with the request, so only URLs below the configured API are followed.
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
      // Allows one segment only. Deeper paths are export and consent requests.
      /^\/\w+$/.test(address.pathname.slice(base.length));
    if (!isVendors) return undefined;
    return {
      path: address.pathname.slice(base.length),
      query: Object.fromEntries(address.searchParams),
      answer: 'bytes',
      maxBytes: MAX_BYTES,
    };
  },
  async itemsOf(dataType, announced, bytes) {
    if (dataType === ACTIVITY_FILES) return activityFileItems(announced, bytes);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    // An empty response means that the announced data no longer exists.
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
