import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderConfiguration } from './provider-configuration.js';
import type { TimeRange } from './time-range.js';

/** One change that the vendor reports. */
export interface VendorNotification {
  /** The vendor's id of the account, as `VendorIdentity.userId`. */
  providerUserId: string;
  /** As `PullDataType.id`. */
  dataType: string;
  /**
   * The one item that changed, where the vendor names no time. Where it is stored already, the time around it is read
   * again, and `ranges`, which say where a new one may be, are not.
   */
  itemId?: string;
  /** `delete` means that the window is to be read again too: what no longer comes back is gone. */
  operation: 'upsert' | 'delete';
  /**
   * Windows that changed, oldest first, at least one; widened where the vendor gives wall-clock times only or none that
   * can be read. Adjacent ones are joined, far ones not.
   */
  ranges: readonly TimeRange[];
}

/** What the vendor wants with one delivery. */
export type WebhookDelivery =
  | { kind: 'handshake'; status: number; body?: unknown }
  | { kind: 'notifications'; status: number; notifications: readonly VendorNotification[] }
  | { kind: 'unreadable' };

/** What a vendor's signature over a delivery says. */
export interface SignatureCheck {
  /** `refuse`: it is not the vendor's (401). `later`: the vendor's keys cannot be had now, so it shall come again (503). */
  verdict: 'accept' | 'refuse' | 'later';
  /** For the log, whatever the verdict; undefined when the signature is good or is not looked at. */
  problem?: 'missing' | 'malformed' | 'unknown_key' | 'wrong' | 'stale' | 'keys_unavailable';
}

/** Inbound webhooks of one vendor. */
export interface WebhookAdapter {
  /** `ping` only says that there is something, `stream` carries the data. */
  kind: 'ping' | 'stream';
  /** Kinds of data whose notifications are followed, as `PullDataType.id`; those of others are counted and ignored. */
  dataTypes: readonly string[];
  /** What proves a delivery: a secret that the operator sets, or that of the OAuth client. */
  secret: 'own' | 'client';
  /** Whether the headers alone say who it is: then nobody's body is read before that. */
  authenticatesByHeaders: boolean;
  /** Whether a report that could not be delivered may be lost for good: what is reported is then polled once a day too. */
  losesEvents: boolean;
  /** Compares in constant time. @param secrets the valid ones: two while one is being replaced */
  authenticate(headers: IncomingHttpHeaders, rawBody: Buffer, secrets: readonly string[]): boolean;
  /** A second layer for notifications, where the vendor signs them; handshakes are not signed. */
  checkSignature?(
    headers: IncomingHttpHeaders,
    rawBody: Buffer,
    configuration: ProviderConfiguration,
  ): Promise<SignatureCheck>;
  /**
   * Reads the parsed body of an authenticated delivery. What is unknown is left out and never fails what is beside it.
   */
  read(body: unknown): WebhookDelivery;
}
