import type { VendorControl, VendorOptions } from '../vendor/index.js';
import type { PolarForms } from './forms.js';
import type { PolarHistoryOptions } from './life.js';
import type { RateLimitRules } from './rate-limit.js';
import type { PolarTruth } from './truth.js';
import type { PolarWebhook } from './webhooks.js';
import type { PolarCollection, PolarDocument, PolarInput } from './wire-types.js';

export interface PolarSimulatorOptions extends VendorOptions {
  limits?: Partial<RateLimitRules>;
  /**
   * Whether exercises are given only where they were uploaded since the registration, as the vendor does it. Default false, so
   * that people who connect have a past.
   */
  onlyAfterRegistration?: boolean;
}

/** What a test decides or asks behind the vendor's back. */
export interface PolarControl extends VendorControl {
  /** Stores items; one with the key of a stored one changes it. Events report it unless `notify` is false. */
  put(account: string, input: PolarInput, options?: { notify?: boolean }): Promise<void>;
  /** What the vendor holds of one kind, as it was put. */
  items(account: string, collection: PolarCollection): Promise<PolarDocument[]>;
  /** Deletes an item by its id or date, which the vendor reports to no one. */
  remove(account: string, collection: PolarCollection, key: string): Promise<void>;
  setPhysical(account: string, physical: PolarDocument | null): Promise<void>;
  /** Whether the person has accepted all that the vendor requires; without it every call is refused. */
  setConsented(account: string, consented: boolean): Promise<void>;
  /** Registers the person under a client's name for them, as an earlier consent did. */
  setMember(account: string, memberId: string | null): Promise<void>;
  /** Stores a made-up history that ends now; no one is notified. The same seed and end give the same items. */
  seedHistory(account: string, options?: PolarHistoryOptions): Promise<void>;
  /** Adds what the made-up life brought since, with events. @param options as seeded */
  growHistory(account: string, options?: PolarHistoryOptions): Promise<void>;
  /** The forms in which the vendor writes an account; they follow from its id. */
  forms(account: string): Promise<PolarForms>;
  webhooks(): Promise<PolarWebhook[]>;
  /** Deactivates the webhook, as after a week of failed deliveries. */
  deactivateWebhook(): Promise<void>;
  /** What a client must hold in the end. */
  truth(account: string): Promise<PolarTruth>;
}

/** A running simulated Polar. */
export interface PolarSimulator {
  /** Addresses to be given to the client as settings. All on one loopback origin. */
  urls: { origin: string; api: string; authorize: string; token: string };
  client: { id: string; secret: string };
  control: PolarControl;
  close(): Promise<void>;
}
