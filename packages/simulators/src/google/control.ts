import type { CommonControl, RequestRecord } from '../vendor/index.js';
import type { AccountChange, AccountInput, GoogleAccount, HistoryOptions } from './account.js';
import type { Fault, Operation } from './fault-types.js';
import type { GoogleBehaviour } from './options.js';
import type { PointInput, PointSelection } from './point-types.js';
import type { DeliveryRecord, SubscriberResource } from './subscriber-types.js';
import type { TrueExercise, TruePoint, TrueSleep, TrueWindow } from './truth-types.js';

/** A handled request. For the Health API it includes account and data type. */
export interface GoogleRequestRecord extends RequestRecord {
  dataType?: string | undefined;
  operation?: Operation | undefined;
}

/** All specified members must match. `path` matches a substring. */
export type RequestFilter = Partial<
  Pick<GoogleRequestRecord, 'role' | 'account' | 'dataType' | 'operation' | 'status' | 'path'>
>;

/** Controls the simulated Google Health service in tests. Methods reject invalid arguments with an error message. */
export interface GoogleControl extends CommonControl<Fault> {
  addAccount(input?: AccountInput): Promise<GoogleAccount>;
  accounts(): Promise<GoogleAccount[]>;
  updateAccount(account: string, change: AccountChange): Promise<GoogleAccount>;

  /**
   * Stores points. A point replaces a stored point with the same id. Notifies subscribers unless `notify` is false.
   * @returns ids in the order of the points
   */
  addPoints(account: string, points: PointInput[], options?: { notify?: boolean }): Promise<string[]>;
  /**
   * Deletes points and notifies subscribers with DELETE.
   * @returns the number of deleted points
   */
  deletePoints(account: string, selection: PointSelection): Promise<number>;
  /** Stores a generated history that ends now, without notifications. The same seed and end produce the same points. */
  seedHistory(account: string, options?: HistoryOptions): Promise<{ points: number }>;
  /** Extends the generated history until now and notifies subscribers. Replaces sleep that was processed late. */
  growHistory(account: string): Promise<{ points: number }>;

  /** Returns each fault with the number of times that it has fired. */
  faults(): Promise<{ id: string; fault: Fault; fired: number }[]>;

  requests(filter?: RequestFilter): Promise<GoogleRequestRecord[]>;
  /**
   * Returns the highest number of Health API requests within any 60 s, by account. Includes requests that were rejected
   * because of the quota.
   */
  peakPerMinute(): Promise<Record<string, number>>;
  /** Returns the number of Health API requests by account and data type. */
  requestCounts(): Promise<Record<string, Record<string, number>>>;

  setBehaviour(behaviour: Partial<GoogleBehaviour>): Promise<void>;
  subscribers(): Promise<SubscriberResource[]>;
  deliveries(): Promise<DeliveryRecord[]>;
  /** Attempts each pending delivery once, immediately. */
  flushDeliveries(): Promise<{ delivered: number; pending: number }>;
  /** Creates a new signing key. The keyset still contains the previous key. */
  rotateSignatureKey(): Promise<void>;

  /** Returns the key file of a service account, with the simulator as `token_uri`. */
  serviceAccountKey(): Promise<Record<string, string>>;
  /** Returns application default credentials of a user account, for the cloud-platform scope. */
  authorizedUser(): Promise<Record<string, string>>;

  /** Returns the expected final points of list or reconcile, oldest first. */
  truePoints(account: string, dataType: string, mode: 'list' | 'reconcile'): Promise<TruePoint[]>;
  /** Returns the expected final windows of rollUp by UTC hour or of dailyRollUp by local date, oldest first. */
  trueWindows(account: string, dataType: string, mode: 'hourly' | 'daily'): Promise<TrueWindow[]>;
  /** Returns the reconciled sleep sessions, oldest first. */
  trueSleeps(account: string): Promise<TrueSleep[]>;
  /** Returns the reconciled exercises, oldest first. */
  trueExercises(account: string): Promise<TrueExercise[]>;
}
