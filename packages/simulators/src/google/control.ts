import type { CommonControl, RequestRecord } from '../vendor/index.js';
import type { AccountChange, AccountInput, GoogleAccount, HistoryOptions } from './account.js';
import type { Fault, Operation } from './fault-types.js';
import type { GoogleBehaviour } from './options.js';
import type { PointInput, PointSelection } from './point-types.js';
import type { DeliveryRecord, SubscriberResource } from './subscriber-types.js';
import type { TrueExercise, TruePoint, TrueSleep, TrueWindow } from './truth-types.js';

/** One request that was answered, with what it asked for if it was one of the Health API. */
export interface GoogleRequestRecord extends RequestRecord {
  dataType?: string | undefined;
  operation?: Operation | undefined;
}

/** Members that are given must be equal; `path` must be contained. */
export type RequestFilter = Partial<
  Pick<GoogleRequestRecord, 'role' | 'account' | 'dataType' | 'operation' | 'status' | 'path'>
>;

/** What a test decides or requests behind Google's back. Wrong arguments reject with a sentence that names them. */
export interface GoogleControl extends CommonControl<Fault> {
  addAccount(input?: AccountInput): Promise<GoogleAccount>;
  accounts(): Promise<GoogleAccount[]>;
  updateAccount(account: string, change: AccountChange): Promise<GoogleAccount>;

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

  /** Faults with how often each has fired. */
  faults(): Promise<{ id: string; fault: Fault; fired: number }[]>;

  requests(filter?: RequestFilter): Promise<GoogleRequestRecord[]>;
  /** Largest number of Health API requests within any 60 s, by account; those answered 429 by the quota included. */
  peakPerMinute(): Promise<Record<string, number>>;
  /** Health API requests by account and data type. */
  requestCounts(): Promise<Record<string, Record<string, number>>>;

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
}
