import type { VendorControl, VendorOptions } from '../vendor/index.js';
import type { StravaForms } from './forms.js';
import type { StravaHistoryOptions } from './history.js';
import type { RateLimitRules } from './rate-limit.js';
import type { StravaTruth } from './truth.js';
import type { StravaInput, StravaSubscription } from './wire-types.js';

export interface StravaSimulatorOptions extends VendorOptions {
  limits?: Partial<RateLimitRules>;
}

/** Control interface for tests, outside of the vendor's API. */
export interface StravaControl extends VendorControl {
  /** Stores activities. Replaces an activity with the same id. Sends events unless `notify` is false. */
  put(account: string, input: StravaInput, options?: { notify?: boolean }): Promise<void>;
  remove(account: string, id: number, options?: { notify?: boolean }): Promise<void>;
  /** Revokes the consent like the user on the vendor's page, and sends an event. */
  deauthorize(account: string): Promise<void>;
  /** Stores generated history until now without notifications. */
  seedHistory(account: string, options?: StravaHistoryOptions): Promise<void>;
  /** Adds the generated data since the last call, with events. @param options the same as for seedHistory */
  growHistory(account: string, options?: StravaHistoryOptions): Promise<void>;
  subscriptions(): Promise<StravaSubscription[]>;
  /** Returns the formats of an account, which are derived from its id. */
  forms(account: string): Promise<StravaForms>;
  /** Returns the data that a client must have after a complete sync. */
  truth(account: string): Promise<StravaTruth>;
}

/** A running simulated Strava. */
export interface StravaSimulator {
  /** URLs for the client's settings, all on one loopback origin. */
  urls: { origin: string; api: string; authorize: string; token: string; revoke: string };
  client: { id: string; secret: string };
  control: StravaControl;
  close(): Promise<void>;
}
