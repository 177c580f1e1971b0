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
   * True to return only exercises uploaded since the registration, like the vendor. Default false, so that connecting
   * users have history.
   */
  onlyAfterRegistration?: boolean;
}

/** Control interface for tests, outside of the vendor's API. */
export interface PolarControl extends VendorControl {
  /** Stores items. Replaces an item with the same key. Sends events unless `notify` is false. */
  put(account: string, input: PolarInput, options?: { notify?: boolean }): Promise<void>;
  /** Returns the vendor's data of one type, as stored. */
  items(account: string, collection: PolarCollection): Promise<PolarDocument[]>;
  /** Deletes an item by its id or date; the vendor sends no event. */
  remove(account: string, collection: PolarCollection, key: string): Promise<void>;
  setPhysical(account: string, physical: PolarDocument | null): Promise<void>;
  /** Sets whether the user accepted the mandatory consents. Without them every call is rejected. */
  setConsented(account: string, consented: boolean): Promise<void>;
  /** Registers the user under a client's name, like an earlier consent. */
  setMember(account: string, memberId: string | null): Promise<void>;
  /** Stores generated history until now without notifications. The same seed and end yield the same items. */
  seedHistory(account: string, options?: PolarHistoryOptions): Promise<void>;
  /** Adds the generated data since the last call, with events. @param options the same as for seedHistory */
  growHistory(account: string, options?: PolarHistoryOptions): Promise<void>;
  /** Returns the formats of an account, which are derived from its id. */
  forms(account: string): Promise<PolarForms>;
  webhooks(): Promise<PolarWebhook[]>;
  /** Deactivates the webhook, as after a week of failed deliveries. */
  deactivateWebhook(): Promise<void>;
  /** Returns the data that a client must have after a complete sync. */
  truth(account: string): Promise<PolarTruth>;
}

/** A running simulated Polar. */
export interface PolarSimulator {
  /** URLs for the client's settings, all on one loopback origin. */
  urls: { origin: string; api: string; authorize: string; token: string };
  client: { id: string; secret: string };
  control: PolarControl;
  close(): Promise<void>;
}
