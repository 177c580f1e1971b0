import type { AccountChange, AccountInput, GoogleAccount } from './account-types.js';
import type { Fault } from './fault-types.js';
import type { GoogleBehaviour } from './options.js';
import type { PointInput, PointSelection } from './point-types.js';
import type { RequestFilter, RequestRecord } from './request-types.js';
import type { DeliveryRecord, SubscriberResource } from './subscriber-types.js';
import type { TrueExercise, TruePoint, TrueSleep, TrueWindow } from './truth-types.js';

/**
 * Everything a test decides or asks behind the vendor's back. Over HTTP each method is `POST /control/<method>` with the
 * JSON array of its arguments as body; `connectGoogleSimulator` gives the same object to another process.
 * Wrong arguments reject with a sentence that says which.
 */
export interface GoogleControl {
  addAccount(input?: AccountInput): Promise<GoogleAccount>;
  accounts(): Promise<GoogleAccount[]>;
  updateAccount(account: string, change: AccountChange): Promise<GoogleAccount>;

  /** The simulator's time, RFC 3339. */
  now(): Promise<string>;
  /** Sets the clock; it runs on from there. */
  setClock(instant: string): Promise<void>;
  advanceClock(seconds: number): Promise<void>;

  /**
   * Stores points; one with the id of a stored point replaces it. Subscribers hear of it unless `notify` is false.
   * @returns ids, in the order given
   */
  addPoints(account: string, points: PointInput[], options?: { notify?: boolean }): Promise<string[]>;
  /** Deletes points and notifies DELETE. @returns how many */
  deletePoints(account: string, selection: PointSelection): Promise<number>;
  /** Stores a made-up history that ends now; no subscriber is notified. Same seed and end, same points. */
  seedHistory(account: string, options?: HistoryOptions): Promise<{ points: number }>;
  /** Adds what the made-up life brought since the history's end, with notifications; sleep processed late is replaced. */
  growHistory(account: string): Promise<{ points: number }>;

  /** @returns the fault's id. Faults added first are looked at first; one fires for each request. */
  addFault(fault: Fault): Promise<string>;
  /** Faults with how often each has fired. */
  faults(): Promise<{ id: string; fault: Fault; fired: number }[]>;
  clearFaults(): Promise<void>;

  requests(filter?: RequestFilter): Promise<RequestRecord[]>;
  /** Largest number of Health API requests within any 60 s, by account; those answered 429 by the quota included. */
  peakPerMinute(): Promise<Record<string, number>>;
  /** Health API requests by account and data type. */
  requestCounts(): Promise<Record<string, Record<string, number>>>;
  clearRequests(): Promise<void>;

  /** How the automatic consent answers from now on; undefined members go back to their defaults. */
  setConsent(consent: AutomaticConsent): Promise<void>;
  /** Ends the grants of an account as the person does in the account's settings; notifies DELETE. */
  revokeGrants(account: string): Promise<void>;
  /** Kills access tokens, of one account or of all; refresh tokens live on. */
  expireAccessTokens(account?: string): Promise<void>;
  /** Scopes that an account has granted and that are still alive. */
  grantedScopes(account: string): Promise<string[]>;

  setBehaviour(behaviour: Partial<GoogleBehaviour>): Promise<void>;
  subscribers(): Promise<SubscriberResource[]>;
  deliveries(): Promise<DeliveryRecord[]>;
  /** Tries every pending delivery once, now. */
  flushDeliveries(): Promise<{ delivered: number; pending: number }>;
  /** Signs with a new key from now on; the former stays in the keyset. */
  rotateSignatureKey(): Promise<void>;

  /** A service account's key file, with the simulator as token_uri. */
  serviceAccountKey(): Promise<Record<string, string>>;
  /** A person's application default credentials, for the cloud-platform scope. */
  authorizedUser(): Promise<Record<string, string>>;

  /** What list or reconcile must end up with, oldest first. */
  truePoints(account: string, dataType: string, mode: 'list' | 'reconcile'): Promise<TruePoint[]>;
  /** What rollUp by UTC hour or dailyRollUp by local date must end up with, oldest first. */
  trueWindows(account: string, dataType: string, mode: 'hourly' | 'daily'): Promise<TrueWindow[]>;
  /** Reconciled sleep sessions, oldest first. */
  trueSleeps(account: string): Promise<TrueSleep[]>;
  /** Reconciled exercises, oldest first. */
  trueExercises(account: string): Promise<TrueExercise[]>;

  /** Forgets accounts, points, grants, subscribers, faults and requests; the clock goes back to real time. */
  reset(): Promise<void>;
}

/** How much a made-up history holds. */
export interface HistoryOptions {
  /** Default 1. */
  seed?: number;
  /** Local days, the one that runs included. Default 90. */
  days?: number;
  /** `full`: steps by the minute, heart rate every 5 min (30 s in workouts). `light`: about a tenth of it. Default. */
  density?: 'light' | 'full';
  /** Only these types; default all that the generator knows. */
  dataTypes?: string[];
}

/** The answer that automatic consent gives. */
export interface AutomaticConsent {
  decision?: 'allow' | 'deny';
  /** Account that consents when the request names none by `login_hint`; default the first one. */
  account?: string;
  /** Scopes that are ticked, of those asked for; default all. */
  scopes?: string[];
}
