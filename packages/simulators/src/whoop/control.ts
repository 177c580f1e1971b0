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
 * Everything a test decides or asks behind the vendor's back. Over HTTP each method is `POST /control/<method>` with the
 * JSON array of its arguments as body; `connectWhoopSimulator` gives the same object to another process.
 */
export interface WhoopControl {
  addAccount(input?: AccountInput): Promise<WhoopAccount>;
  accounts(): Promise<WhoopAccount[]>;

  /** The simulator's time, RFC 3339. */
  now(): Promise<string>;
  /** Sets the clock; it runs on from there. */
  setClock(instant: string): Promise<void>;
  advanceClock(seconds: number): Promise<void>;

  /** Stores records; one with the id of a stored one changes it. Events report it unless `notify` is false. */
  put(account: string, records: RecordInput, options?: { notify?: boolean }): Promise<void>;
  /** Deletes a sleep (its recovery goes too), a recovery (by the id of its sleep) or a workout. */
  remove(account: string, subject: EventSubject, id: string, options?: { notify?: boolean }): Promise<void>;
  setBody(account: string, body: WhoopBody): Promise<void>;
  /** Stores a made-up history that ends now; no subscriber is notified. The same seed and end give the same records. */
  seedHistory(account: string, options?: HistoryOptions): Promise<{ records: number }>;
  /** Adds what the made-up life brought since, with events for what is new or was scored. @param options as seeded */
  growHistory(account: string, options?: HistoryOptions): Promise<{ records: number }>;

  /** @returns the fault's id. Faults added first are looked at first; one fires for each request. */
  addFault(fault: WhoopFault): Promise<string>;
  clearFaults(): Promise<void>;

  requests(path?: string): Promise<RequestRecord[]>;
  clearRequests(): Promise<void>;
  /** The largest number of requests that one window of each kind has seen, refused ones included. */
  peaks(): Promise<{ perMinute: number; perDay: number }>;

  /** How the automatic consent answers from now on. */
  setConsent(consent: AutomaticConsent): Promise<void>;
  /** Ends the grants of an account as the person does in the app: tokens die, and no subscriber is notified. */
  revokeGrants(account: string): Promise<void>;
  /** Kills access tokens, of one account or of all; refresh tokens live on. */
  expireAccessTokens(account?: string): Promise<void>;
  /** Scopes of an account's grants that are still alive. */
  grantedScopes(account: string): Promise<string[]>;

  /** What is typed into the vendor's dashboard; undefined: no webhook. */
  setWebhook(target?: WebhookTarget): Promise<void>;
  /** Sends what is held. */
  flushDeliveries(options?: { reversed?: boolean; twice?: boolean }): Promise<WhoopDelivery[]>;
  /** Sends one event now, also one that no vendor would send. @returns the status of the answer */
  sendEvent(event: object, change?: DeliveryChange): Promise<number>;
  /** All attempts, once those that go by themselves have been made. */
  deliveries(): Promise<WhoopDelivery[]>;

  /** The forms in which the vendor writes an account; they follow from its id. */
  forms(account: string): Promise<WhoopForms>;
  /** What a client must hold in the end. */
  truth(account: string): Promise<WhoopTruth>;
  /** Forgets accounts, grants, faults, requests and the webhook; the clock goes back to real time. */
  reset(): Promise<void>;
}
