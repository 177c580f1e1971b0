import type { VendorControl, VendorOptions } from '../vendor/index.js';
import type { StravaForms } from './forms.js';
import type { StravaHistoryOptions } from './history.js';
import type { RateLimitRules } from './rate-limit.js';
import type { StravaTruth } from './truth.js';
import type { StravaInput, StravaSubscription } from './wire-types.js';

export interface StravaSimulatorOptions extends VendorOptions {
  limits?: Partial<RateLimitRules>;
}

/** What a test decides or asks behind the vendor's back. */
export interface StravaControl extends VendorControl {
  /** Stores activities; one with the id of a stored one changes it. Events report it unless `notify` is false. */
  put(account: string, input: StravaInput, options?: { notify?: boolean }): Promise<void>;
  remove(account: string, id: number, options?: { notify?: boolean }): Promise<void>;
  /** The person ends the consent on the vendor's page, which an event reports. */
  deauthorize(account: string): Promise<void>;
  /** Stores a made-up history that ends now; no subscriber is notified. */
  seedHistory(account: string, options?: StravaHistoryOptions): Promise<void>;
  /** Adds what the made-up life brought since, with events. @param options as seeded */
  growHistory(account: string, options?: StravaHistoryOptions): Promise<void>;
  subscriptions(): Promise<StravaSubscription[]>;
  /** The forms in which the vendor writes an account; they follow from its id. */
  forms(account: string): Promise<StravaForms>;
  /** What a client must hold in the end. */
  truth(account: string): Promise<StravaTruth>;
}

/** A running simulated Strava. */
export interface StravaSimulator {
  /** Addresses to be given to the client as settings. All on one loopback origin. */
  urls: { origin: string; api: string; authorize: string; token: string; revoke: string };
  client: { id: string; secret: string };
  control: StravaControl;
  close(): Promise<void>;
}
