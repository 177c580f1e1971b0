import type { VendorControl, VendorOptions } from '../vendor/index.js';
import type { SuuntoForms } from './forms.js';
import type { SuuntoHistoryOptions } from './history.js';
import type { SuuntoLimits } from './rate-limit.js';
import type { SuuntoTruth } from './truth.js';
import type { SuuntoInput, SuuntoProduct } from './wire-types.js';

export interface SuuntoSimulatorOptions extends VendorOptions {
  /** Decides in which forms the made-up life of each account is written. Default 1. */
  formSeed?: number;
  limits?: Partial<SuuntoLimits>;
}

/** What a test decides or asks behind the vendor's back. */
export interface SuuntoControl extends VendorControl {
  /** Forms that all accounts have from now on; the others stay those of the account. */
  setForms(forms: Partial<SuuntoForms>): Promise<void>;
  /** The forms of an account. */
  forms(account: string): Promise<SuuntoForms>;
  /** Where notifications go, as typed into the vendor's portal. */
  setWebhook(target: { url: string }): Promise<void>;
  /** What a product that the operator has not subscribed to is answered with; null: it is subscribed to. */
  setProduct(product: SuuntoProduct, status: 401 | 403 | 404 | null): Promise<void>;
  /** Stores what the watch sent, workouts and their files together. Notifications report what is new unless `notify` is false. */
  put(account: string, input: SuuntoInput, options?: { notify?: boolean }): Promise<void>;
  /** Deletes a workout; the vendor reports no such thing. */
  removeWorkout(account: string, key: string): Promise<void>;
  /** Stores a made-up history that ends now; nothing is reported. */
  seedHistory(account: string, options?: SuuntoHistoryOptions): Promise<void>;
  /** Adds what the made-up life brought since, with notifications. @param options as seeded */
  growHistory(account: string, options?: SuuntoHistoryOptions): Promise<void>;
  /** What a client must hold in the end. */
  truth(account: string): Promise<SuuntoTruth>;
}

/** A running simulated Suunto. */
export interface SuuntoSimulator {
  /** Addresses to be given to the client as settings. All on one loopback origin. */
  urls: { origin: string; api: string; authorize: string; token: string; revoke: string };
  client: { id: string; secret: string };
  /** Values of the client's settings that only this vendor has. */
  settings: { SUBSCRIPTION_KEY: string; WEBHOOK_SECRET: string };
  control: SuuntoControl;
  close(): Promise<void>;
}
