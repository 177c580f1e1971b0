import type { IncomingHttpHeaders } from 'node:http';
import type { TimeRange } from './cloud-provider.js';

/** One change that the vendor tells of. */
export interface VendorNotification {
  /** The vendor's id of the account, as `VendorIdentity.userId`. */
  providerUserId: string;
  /** As `PullDataType.id`. */
  dataType: string;
  /** `delete` means that the window is to be read again too: what no longer comes back is gone. */
  operation: 'upsert' | 'delete';
  /** Windows that changed, widened where the vendor gives wall-clock times only. Adjacent ones are joined, far ones not. */
  ranges: readonly TimeRange[];
}

/** What the vendor wants with one delivery. */
export type WebhookDelivery =
  | { kind: 'handshake'; status: number; body?: unknown }
  | { kind: 'notifications'; status: number; notifications: readonly VendorNotification[] }
  | { kind: 'unreadable' };

/** Inbound webhooks of one vendor. */
export interface WebhookAdapter {
  /** `ping` only tells that there is something, `stream` carries the data. */
  kind: 'ping' | 'stream';
  /** Compares in constant time. @param secrets the valid ones: two while one is being replaced */
  authenticate(headers: IncomingHttpHeaders, rawBody: Buffer, secrets: readonly string[]): boolean;
  /** Reads an authenticated body. What is unknown is left out and never fails what stands beside it. */
  read(rawBody: Buffer): WebhookDelivery;
}
