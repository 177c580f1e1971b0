import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderConfiguration } from './provider-configuration.js';
import type { TimeRange } from './time-range.js';

/** One change that the vendor reports. */
export interface VendorNotification {
  /** The vendor's id of the account, as `VendorIdentity.userId`. */
  providerUserId: string;
  /** Data type, as `PullDataType.id`. */
  dataType: string;
  /**
   * The item that changed, if the vendor reports no time. If the item is stored, the service reads the time around the
   * item again and ignores `ranges`. For a new item, `ranges` contains its possible times. The service locates a new
   * item first if the adapter supports it (`PullAdapter.locate`).
   */
  itemId?: string;
  /** `delete` also means that the window must be read again: items missing from the response are deleted. */
  operation: 'upsert' | 'delete';
  /**
   * Windows that changed, oldest first, at least one. Wider if the vendor reports local times only, or no readable
   * time. Adjacent windows are joined; distant windows stay separate.
   */
  ranges: readonly TimeRange[];
}

/** Meaning of one delivery. */
export type WebhookDelivery =
  | { kind: 'handshake'; status: number; body?: unknown }
  | { kind: 'notifications'; status: number; notifications: readonly VendorNotification[] }
  | { kind: 'unreadable' };

/** Result of checking a vendor's signature over a delivery. */
export interface SignatureCheck {
  /**
   * `refuse`: the delivery is not from the vendor (401). `later`: the vendor's keys cannot be fetched now, so the
   * vendor must resend it (503).
   */
  verdict: 'accept' | 'refuse' | 'later';
  /**
   * Problem with the signature for the log, whatever the verdict; undefined if the signature is valid or not checked.
   */
  problem?: 'missing' | 'malformed' | 'unknown_key' | 'wrong' | 'stale' | 'keys_unavailable';
}

/** Parts of a delivery that are checked before its body. */
export interface DeliveryHead {
  headers: IncomingHttpHeaders;
  /** Query of the URL that the vendor received. */
  query: URLSearchParams;
}

/**
 * A vendor's inbound webhooks that report changes. The service then reads the changed data again. For webhooks that
 * carry data see `DeliveryAdapter`.
 */
export interface WebhookAdapter {
  /**
   * Data types whose notifications are processed, as `PullDataType.id`. Notifications of other types are counted and
   * ignored.
   */
  dataTypes: readonly string[];
  /**
   * Secret that proves a delivery: the operator's setting, the OAuth client's secret, or a secret that the vendor
   * issues at registration (`SubscriberOutcome.secret`).
   */
  secret: 'own' | 'client' | 'given';
  /** True if the headers and query alone authenticate the sender. The body is then read only after authentication. */
  authenticatesByHead: boolean;
  /**
   * Size limit of a handshake that the vendor sends without a signature. A larger body that fails `authenticate` is not
   * parsed.
   */
  maxUnsignedHandshakeBytes?: number;
  /** True if the vendor may never resend a failed report. The reported data is then also polled once a day. */
  losesEvents: boolean;
  /**
   * Response to a GET with which the vendor verifies that we own the URL; undefined if the challenge is not from the
   * vendor. Compares secrets in constant time.
   */
  respondToChallenge?(query: URLSearchParams, configuration: ProviderConfiguration): object | undefined;
  /** Compares in constant time. @param secrets the valid secrets: two during a rotation */
  authenticate(head: DeliveryHead, rawBody: Buffer, secrets: readonly string[]): boolean;
  /** Second check for notifications, if the vendor signs them. Handshakes are not signed. */
  checkSignature?(
    headers: IncomingHttpHeaders,
    rawBody: Buffer,
    configuration: ProviderConfiguration,
  ): Promise<SignatureCheck>;
  /** Reads the parsed body of an authenticated delivery. Skips unknown parts without rejecting the known parts. */
  read(body: unknown): WebhookDelivery;
}
