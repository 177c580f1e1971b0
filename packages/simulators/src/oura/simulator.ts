import type { VendorControl, VendorOptions } from '../vendor/index.js';
import type { OuraForms } from './forms.js';
import type { OuraHistoryOptions } from './history.js';
import type { RateLimitRules } from './rate-limit.js';
import type { OuraSubscription } from './subscriptions.js';
import type { OuraTruth } from './truth.js';
import type { OuraCollection, OuraInput, OuraPersonalInfo } from './wire-types.js';

export interface OuraSimulatorOptions extends VendorOptions {
  /** Seed of each account's formats. Default 1. */
  formSeed?: number;
  /** Lifetime of access tokens in seconds. Default: one day. */
  accessTokenSeconds?: number;
  limits?: Partial<RateLimitRules>;
}

/** Control interface for tests, outside of the vendor's API. */
export interface OuraControl extends VendorControl {
  /** Overrides formats of all accounts. Formats that are not set are random for each account. */
  setForms(forms: Partial<OuraForms>): Promise<void>;
  /** Returns the formats of an account. */
  forms(account: string): Promise<OuraForms>;
  /** Stores documents. Replaces a document with the same id. Sends events unless `notify` is false. */
  put(account: string, input: OuraInput, options?: { notify?: boolean }): Promise<void>;
  remove(account: string, collection: OuraCollection, id: string, options?: { notify?: boolean }): Promise<void>;
  setInfo(account: string, info: Partial<OuraPersonalInfo>): Promise<void>;
  /** Stores generated history until now without notifications. The same seed and end yield the same documents. */
  seedHistory(account: string, options?: OuraHistoryOptions): Promise<void>;
  /** Adds the generated data since the last call, with events. @param options the same as for seedHistory */
  growHistory(account: string, options?: OuraHistoryOptions): Promise<void>;
  /** Returns valid subscriptions. */
  subscriptions(): Promise<OuraSubscription[]>;
  /** Returns the data that a client must have after a complete sync. */
  truth(account: string): Promise<OuraTruth>;
}

/** A running simulated Oura. */
export interface OuraSimulator {
  /** URLs for the client's settings, all on one loopback origin. */
  urls: { origin: string; api: string; authorize: string; token: string; revoke: string };
  client: { id: string; secret: string };
  control: OuraControl;
  close(): Promise<void>;
}
