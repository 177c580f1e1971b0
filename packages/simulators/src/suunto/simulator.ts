import type { VendorControl, VendorOptions } from '../vendor/index.js';
import type { SuuntoForms } from './forms.js';
import type { SuuntoHistoryOptions } from './history.js';
import type { SuuntoLimits } from './rate-limit.js';
import type { SuuntoTruth } from './truth.js';
import type { SuuntoInput, SuuntoProduct } from './wire-types.js';

export interface SuuntoSimulatorOptions extends VendorOptions {
  /** Seed of each account's formats. Default 1. */
  formSeed?: number;
  limits?: Partial<SuuntoLimits>;
}

/** Control interface for tests, outside of the vendor's API. */
export interface SuuntoControl extends VendorControl {
  /** Overrides formats of all accounts. Formats that are not set are random for each account. */
  setForms(forms: Partial<SuuntoForms>): Promise<void>;
  /** Returns the formats of an account. */
  forms(account: string): Promise<SuuntoForms>;
  /** Sets the notification URL in the vendor's portal. */
  setWebhook(target: { url: string }): Promise<void>;
  /** Sets the response for a product without a subscription; null for a subscribed product. */
  setProduct(product: SuuntoProduct, status: 401 | 403 | 404 | null): Promise<void>;
  /** Stores data of the watch, with workouts and their files together. Sends notifications unless `notify` is false. */
  put(account: string, input: SuuntoInput, options?: { notify?: boolean }): Promise<void>;
  /** Deletes a workout; the vendor sends no notification. */
  removeWorkout(account: string, key: string): Promise<void>;
  /** Stores generated history until now without notifications. */
  seedHistory(account: string, options?: SuuntoHistoryOptions): Promise<void>;
  /** Adds the generated data since the last call, with notifications. @param options the same as for seedHistory */
  growHistory(account: string, options?: SuuntoHistoryOptions): Promise<void>;
  /** Returns the data that a client must have after a complete sync. */
  truth(account: string): Promise<SuuntoTruth>;
}

/** A running simulated Suunto. */
export interface SuuntoSimulator {
  /** URLs for the client's settings, all on one loopback origin. */
  urls: { origin: string; api: string; authorize: string; token: string; revoke: string };
  client: { id: string; secret: string };
  /** Values of the client's settings that only this vendor has. */
  settings: { SUBSCRIPTION_KEY: string; WEBHOOK_SECRET: string };
  control: SuuntoControl;
  close(): Promise<void>;
}
