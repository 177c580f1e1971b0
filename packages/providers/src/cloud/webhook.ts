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
   * again, and `ranges`, which say where a new one may be, are not. A new one is located first where the adapter can do that
   * (`PullAdapter.locate`).
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
  /** `refuse`: it is not the vendor's (401). `later`: the vendor's keys cannot be fetched now, so it is to be sent again (503). */
  verdict: 'accept' | 'refuse' | 'later';
  /** For the log, with either verdict; undefined when the signature is good or is not looked at. */
  problem?: 'missing' | 'malformed' | 'unknown_key' | 'wrong' | 'stale' | 'keys_unavailable';
}

/** What of a delivery is looked at before its body. */
export interface DeliveryHead {
  headers: IncomingHttpHeaders;
  /** Of the address that the vendor was given. */
  query: URLSearchParams;
}

/** Inbound webhooks of a vendor that say what changed; it is read again. Those that carry the data: `DeliveryAdapter`. */
export interface WebhookAdapter {
  /** Kinds of data whose notifications are followed, as `PullDataType.id`; those of others are counted and ignored. */
  dataTypes: readonly string[];
  /**
   * What proves a delivery: a secret that the operator sets, that of the OAuth client, or one that the vendor gives when the
   * address is registered (`SubscriberOutcome.secret`).
   */
  secret: 'own' | 'client' | 'given';
  /** Whether the head alone says who it is: then no one's body is read before that. */
  authenticatesByHead: boolean;
  /**
   * Size limit of a handshake that the vendor sends without a signature. A body that fails `authenticate` is parsed only if
   * it is no larger.
   */
  maxUnsignedHandshakeBytes?: number;
  /** Whether a report that could not be delivered may be lost for good: what is reported is then polled once a day too. */
  losesEvents: boolean;
  /**
   * The answer to a GET by which the vendor finds out whether the address is ours, where it does that; undefined where the
   * challenge is not the vendor's. What it knows is compared in constant time.
   */
  answerChallenge?(query: URLSearchParams, configuration: ProviderConfiguration): object | undefined;
  /** Compares in constant time. @param secrets the valid ones: two while one is being replaced */
  authenticate(head: DeliveryHead, rawBody: Buffer, secrets: readonly string[]): boolean;
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
