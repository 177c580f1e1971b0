import { createHmac } from 'node:crypto';

/** The parameter of the address that proves an event. */
export const TOKEN = 'token';

/**
 * The value of {@link TOKEN} in the registered address, because events are not signed: only the vendor was given it. It
 * follows from the secret of the OAuth client and reveals nothing of it.
 */
export function callbackToken(clientSecret: string): string {
  return createHmac('sha256', clientSecret).update('address of the webhook').digest('base64url');
}
