import type { VendorControl, VendorOptions } from '../vendor/index.js';
import type { OuraForms } from './forms.js';
import type { OuraHistoryOptions } from './history.js';
import type { RateLimitRules } from './rate-limit.js';
import type { OuraSubscription } from './subscriptions.js';
import type { OuraTruth } from './truth.js';
import type { OuraCollection, OuraInput, OuraPersonalInfo } from './wire-types.js';

export interface OuraSimulatorOptions extends VendorOptions {
  /** Decides in which forms the made-up life of each account is written. Default 1. */
  formSeed?: number;
  /** Life of access tokens. Default a day. */
  accessTokenSeconds?: number;
  limits?: Partial<RateLimitRules>;
}

/** What a test decides or asks behind the vendor's back. */
export interface OuraControl extends VendorControl {
  /** Forms that all accounts have from now on; the others stay those of the account. */
  setForms(forms: Partial<OuraForms>): Promise<void>;
  /** The forms of an account. */
  forms(account: string): Promise<OuraForms>;
  /** Stores documents; one with the id of a stored one changes it. Events report it unless `notify` is false. */
  put(account: string, input: OuraInput, options?: { notify?: boolean }): Promise<void>;
  remove(account: string, collection: OuraCollection, id: string, options?: { notify?: boolean }): Promise<void>;
  setInfo(account: string, info: Partial<OuraPersonalInfo>): Promise<void>;
  /** Stores a made-up history that ends now; no subscriber is notified. The same seed and end give the same documents. */
  seedHistory(account: string, options?: OuraHistoryOptions): Promise<void>;
  /** Adds what the made-up life brought since, with events. @param options as seeded */
  growHistory(account: string, options?: OuraHistoryOptions): Promise<void>;
  /** Those that are alive. */
  subscriptions(): Promise<OuraSubscription[]>;
  /** What a client must hold in the end. */
  truth(account: string): Promise<OuraTruth>;
}

/** A running simulated Oura. */
export interface OuraSimulator {
  /** Addresses to be given to the client as settings. All on one loopback origin. */
  urls: { origin: string; api: string; authorize: string; token: string; revoke: string };
  client: { id: string; secret: string };
  control: OuraControl;
  close(): Promise<void>;
}
