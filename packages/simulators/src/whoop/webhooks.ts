import { createHmac } from 'node:crypto';
import type { SignedEvent } from '../vendor/index.js';

/** Returns Base64 of HMAC-SHA256 over the timestamp's text and the body, with the application's client secret. */
export function signEvent(event: object, secret: string, timestampMs: number): SignedEvent {
  const body = JSON.stringify(event);
  const signature = createHmac('sha256', secret).update(`${timestampMs}${body}`).digest('base64');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-whoop-signature': signature,
      'x-whoop-signature-timestamp': String(timestampMs),
    },
  };
}
