import type { VendorControl, VendorOptions } from '../vendor/index.js';
import type { GarminAccount } from './account.js';
import type { GarminForms } from './forms.js';
import type { GarminHistoryOptions } from './history.js';
import type { GarminPush, PushTarget } from './pushes.js';
import type { GarminTruth } from './truth.js';
import type { GarminItems, GarminPermission, SummaryKey } from './wire-types.js';

export interface GarminSimulatorOptions extends VendorOptions {
  /** Lifetime of access tokens in seconds. Default 86,400. */
  accessTokenSeconds?: number;
  /** Seed of the accounts' formats. Default 1. */
  seed?: number;
  limits?: Partial<GarminLimits>;
}

export interface GarminLimits {
  /** Requests of the application per minute. Default 100. */
  requestsPerMinute: number;
  /** Days of history that may be requested per minute. Default 10,000. */
  exportDaysPerMinute: number;
}

/** Control methods of vendors that send events. Garmin pushes summaries instead. */
type EventMethod = 'holdDeliveries' | 'flushDeliveries' | 'sendEvent' | 'deliveries';

/** Control interface for tests, outside of the vendor's API. The scopes of a consent are Garmin's permissions. */
export interface GarminControl extends Omit<VendorControl, EventMethod> {
  addAccount(input?: Partial<GarminAccount>): Promise<GarminAccount>;
  accounts(): Promise<GarminAccount[]>;
  /** Returns the formats in which the vendor delivers an account's data. */
  formsOf(account: string): Promise<GarminForms>;
  setForms(account: string, forms: Partial<GarminForms>): Promise<void>;

  /** Advances the clock and sends exports that become due. */
  advanceClock(seconds: number): Promise<void>;

  /** Stores summaries like a device upload; pushes them unless `push` is false or the user is not connected. */
  put(account: string, items: GarminItems, options?: { push?: boolean }): Promise<void>;
  /** Stores generated history until now without pushes. The same seed and end yield the same summaries. */
  seedHistory(account: string, options?: GarminHistoryOptions): Promise<{ items: number }>;
  /** Adds the generated data since the last call and pushes it. @param options the same as for seedHistory */
  growHistory(account: string, options?: GarminHistoryOptions): Promise<{ items: number }>;

  /** Disables types for the application, as in the vendor's portal. */
  disableSummaries(keys: SummaryKey[]): Promise<void>;
  /** Selects whether permissions are a plain list or within an object, both of which real responses use. */
  setPermissionsShape(shape: 'bare' | 'object'): Promise<void>;
  /** True if the application may still access the account. */
  isConnected(account: string): Promise<boolean>;
  /** Revokes the consent like the user in the vendor's app, and notifies the application. */
  deregister(account: string): Promise<void>;
  /** Changes the permissions like the user, and notifies the application. */
  changePermissions(account: string, permissions: GarminPermission[]): Promise<void>;

  /** Sets the URL in the vendor's portal; undefined disables pushes. */
  setPushTarget(target?: PushTarget): Promise<void>;
  /** Sends held and previously rejected pushes. */
  flushPushes(options?: { reversed?: boolean; twice?: boolean }): Promise<GarminPush[]>;
  /** Sends any body now, even a body that no vendor would send. @returns the response status */
  sendBody(body: string, headers?: Record<string, string>): Promise<number>;
  /** Waits for the automatic attempts, then returns all attempts. */
  pushes(): Promise<GarminPush[]>;
  /** Returns the number of items that are not accepted yet. */
  waitingItems(): Promise<number>;

  /** Sets the duration of an export; 0, the default, sends it immediately. */
  setExportDelay(seconds: number): Promise<void>;
  /** Sends the exports that are due, or all accepted exports. @returns the number of sent exports */
  runExports(options?: { all?: boolean }): Promise<number>;
  /** Returns accepted exports that have not been sent yet. */
  openExports(): Promise<{ account: string; key: SummaryKey; fromSeconds: number; toSeconds: number }[]>;

  /** Returns all data of an account in pushed form. */
  summaries(account: string): Promise<GarminItems>;
  /** Returns the data that a client must have after a complete sync. */
  truth(account: string): Promise<GarminTruth>;
}

/** A running simulated Garmin. */
export interface GarminSimulator {
  /** URLs for the client's settings, all on one loopback origin. */
  urls: { origin: string; authorize: string; token: string; api: string; user: string };
  client: { id: string; secret: string };
  /** Values of the client's own settings. */
  settings: { WEBHOOK_TOKEN: string };
  control: GarminControl;
  close(): Promise<void>;
}
