import { connectSimulator } from '../remote-control.js';
import type { AccountFacts, VendorControl, VendorOptions } from '../vendor/index.js';
import type { WhoopForms } from './forms.js';
import type { HistoryOptions } from './history.js';
import type { RateLimits } from './rate-limit.js';
import type { WhoopTruth } from './truth.js';
import type { EventSubject, RecordInput, WhoopBody } from './wire-types.js';

export interface WhoopSimulatorOptions extends VendorOptions {
  /** Lifetime of access tokens in seconds. Default 3600. */
  accessTokenSeconds?: number;
  limits?: Partial<RateLimits>;
}

export type WhoopAccountInput = Partial<AccountFacts> & { body?: WhoopBody };

/** URL in the vendor's dashboard, and whether events are sent automatically. */
export interface WebhookTarget {
  url: string;
  /** `held` waits for flushDeliveries. Default `auto`. */
  deliveries?: 'auto' | 'held';
}

/** Control interface for tests, outside of the vendor's API. */
export interface WhoopControl extends VendorControl {
  addAccount(input?: WhoopAccountInput): Promise<AccountFacts>;

  /** Stores records, or updates records with the same id. Sends events unless `notify` is false. */
  put(account: string, records: RecordInput, options?: { notify?: boolean }): Promise<void>;
  /** Deletes a sleep (with its recovery), a recovery (by the id of its sleep) or a workout. */
  remove(account: string, subject: EventSubject, id: string, options?: { notify?: boolean }): Promise<void>;
  setBody(account: string, body: WhoopBody): Promise<void>;
  /** Stores generated history until now without notifications. The same seed and end yield the same records. */
  seedHistory(account: string, options?: HistoryOptions): Promise<{ records: number }>;
  /**
   * Adds the generated data since the last call, with events for new and newly scored records. @param options the same
   * as for seedHistory
   */
  growHistory(account: string, options?: HistoryOptions): Promise<{ records: number }>;

  /** Returns the peak number of requests per window of each type, including rejected requests. */
  peaks(): Promise<{ perMinute: number; perDay: number }>;
  /** Sets the webhook in the vendor's dashboard; undefined for none. */
  setWebhook(target?: WebhookTarget): Promise<void>;

  /** Returns the formats of an account, which are derived from its id. */
  forms(account: string): Promise<WhoopForms>;
  /** Returns the data that a client must have after a complete sync. */
  truth(account: string): Promise<WhoopTruth>;
}

/** A running simulated WHOOP. */
export interface WhoopSimulator {
  /** URLs for the client's settings, all on one loopback origin. */
  urls: { origin: string; authorize: string; token: string; api: string };
  client: { id: string; secret: string };
  control: WhoopControl;
  close(): Promise<void>;
}

/** Connects to a simulator in another process. The result's `close` does not stop the simulator. */
export const connectWhoopSimulator = (origin: string) => connectSimulator<WhoopSimulator>(origin);
