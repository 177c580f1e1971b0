import type { RequestRecord } from '../vendor/index.js';
import type { AccountInput, WhoopAccount } from './account.js';
import type { WhoopFault } from './faults.js';
import type { WhoopForms } from './forms.js';
import type { HistoryOptions } from './history.js';
import type { AutomaticConsent } from './options.js';
import type { WhoopTruth } from './truth.js';
import type { DeliveryChange, WebhookTarget, WhoopDelivery } from './webhooks.js';
import type { EventSubject, RecordInput, WhoopBody } from './wire-types.js';

/**
 * Control interface for tests, outside of the vendor's API. Over HTTP each method is `POST /control/<method>` with a
 * JSON array of its arguments as body; `connectWhoopSimulator` returns the same object in another process.
 */
export interface WhoopControl {
  addAccount(input?: AccountInput): Promise<WhoopAccount>;
  accounts(): Promise<WhoopAccount[]>;

  /** The simulator's time, RFC 3339. */
  now(): Promise<string>;
  /** Sets the clock, which advances from there. */
  setClock(instant: string): Promise<void>;
  advanceClock(seconds: number): Promise<void>;

  /** Stores records; an existing id is updated. Sends events unless `notify` is false. */
  put(account: string, records: RecordInput, options?: { notify?: boolean }): Promise<void>;
  /** Deletes a sleep (with its recovery), a recovery (by the id of its sleep) or a workout. */
  remove(account: string, subject: EventSubject, id: string, options?: { notify?: boolean }): Promise<void>;
  setBody(account: string, body: WhoopBody): Promise<void>;
  /** Stores generated history until now without notifications. The same seed and end yield the same records. */
  seedHistory(account: string, options?: HistoryOptions): Promise<{ records: number }>;
  /**
   * Adds the generated data since the last call, with events for new and newly scored records. @param options as seeded
   */
  growHistory(account: string, options?: HistoryOptions): Promise<{ records: number }>;

  /** @returns the fault's id. Faults are checked in order of addition; one fires per request. */
  addFault(fault: WhoopFault): Promise<string>;
  clearFaults(): Promise<void>;

  requests(path?: string): Promise<RequestRecord[]>;
  clearRequests(): Promise<void>;
  /** Returns the peak number of requests per window of each type, including rejected ones. */
  peaks(): Promise<{ perMinute: number; perDay: number }>;

  /** Sets the result of automatic consent. */
  setConsent(consent: AutomaticConsent): Promise<void>;
  /** Revokes the grants of an account like the user in the app: tokens become invalid, and no event is sent. */
  revokeGrants(account: string): Promise<void>;
  /** Expires access tokens of one account or of all; refresh tokens stay valid. */
  expireAccessTokens(account?: string): Promise<void>;
  /** Returns the scopes of an account's valid grants. */
  grantedScopes(account: string): Promise<string[]>;

  /** Sets the webhook in the vendor's dashboard; undefined for none. */
  setWebhook(target?: WebhookTarget): Promise<void>;
  /** Sends held events. */
  flushDeliveries(options?: { reversed?: boolean; twice?: boolean }): Promise<WhoopDelivery[]>;
  /** Sends one event now, even one that no vendor would send. @returns the response status */
  sendEvent(event: object, change?: DeliveryChange): Promise<number>;
  /** Returns all attempts, after the automatic ones have finished. */
  deliveries(): Promise<WhoopDelivery[]>;

  /** Returns the formats of an account, which are derived from its id. */
  forms(account: string): Promise<WhoopForms>;
  /** Returns the data that a client must end up with. */
  truth(account: string): Promise<WhoopTruth>;
  /** Resets accounts, grants, faults, requests and the webhook; the clock returns to real time. */
  reset(): Promise<void>;
}
