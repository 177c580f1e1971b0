import type { RequestRecord } from '../vendor/index.js';
import type { GarminAccount, GarminAccountInput } from './account.js';
import type { GarminFault } from './faults.js';
import type { GarminForms } from './forms.js';
import type { GarminHistoryOptions } from './history.js';
import type { AutomaticGarminConsent } from './options.js';
import type { GarminPush, PushTarget } from './pushes.js';
import type { GarminTruth } from './truth.js';
import type { GarminItems, GarminPermission, SummaryKey } from './wire-types.js';

/**
 * Everything a test decides or asks behind the vendor's back. Over HTTP each method is `POST /control/<method>` with the
 * JSON array of its arguments as body.
 */
export interface GarminControl {
  addAccount(input?: GarminAccountInput): Promise<GarminAccount>;
  accounts(): Promise<GarminAccount[]>;
  /** The forms in which the vendor delivers data of an account. */
  formsOf(account: string): Promise<GarminForms>;
  setForms(account: string, forms: Partial<GarminForms>): Promise<void>;

  /** The simulator's time, RFC 3339. */
  now(): Promise<string>;
  /** Sets the clock; it runs on from there. */
  setClock(instant: string): Promise<void>;
  /** Moves the clock on; exports that become due are sent. */
  advanceClock(seconds: number): Promise<void>;

  /** Stores summaries, as an upload of a device; they are pushed unless `push` is false or the person is not connected. */
  put(account: string, items: GarminItems, options?: { push?: boolean }): Promise<void>;
  /** Stores a made-up history that ends now; nothing is pushed. The same seed and end give the same summaries. */
  seedHistory(account: string, options?: GarminHistoryOptions): Promise<{ items: number }>;
  /** Adds what the made-up life brought since, and pushes it. @param options as seeded */
  growHistory(account: string, options?: GarminHistoryOptions): Promise<{ items: number }>;

  /** @returns the fault's id. Faults added first are looked at first; one fires for each request. */
  addFault(fault: GarminFault): Promise<string>;
  clearFaults(): Promise<void>;
  /** Kinds that the application does not get, as switched off in the vendor's portal. */
  disableSummaries(keys: SummaryKey[]): Promise<void>;

  /** Paths are with the query of requests for exports. @param path a part of it */
  requests(path?: string): Promise<RequestRecord[]>;
  clearRequests(): Promise<void>;

  /** How the automatic consent answers from now on. */
  setConsent(consent: AutomaticGarminConsent): Promise<void>;
  /** Whether permissions come as a bare list or within an object; both are seen. */
  setPermissionsShape(shape: 'bare' | 'object'): Promise<void>;
  /** Kills access tokens, of one account or of all; refresh tokens live on. */
  expireAccessTokens(account?: string): Promise<void>;
  /** Ends all tokens of an account without a word, as a deregistration that is lost. */
  revokeGrants(account: string): Promise<void>;
  /** Whether the application may still act for an account. */
  isConnected(account: string): Promise<boolean>;
  /** The person ends the consent in the vendor's app; the application is notified. */
  deregister(account: string): Promise<void>;
  /** The person ticks other permissions; the application is notified. */
  changePermissions(account: string, permissions: GarminPermission[]): Promise<void>;

  /** What is typed into the vendor's portal; undefined: nothing is pushed. */
  setPushTarget(target?: PushTarget): Promise<void>;
  /** Sends what is held and what was refused. */
  flushPushes(options?: { reversed?: boolean; twice?: boolean }): Promise<GarminPush[]>;
  /** Sends any body now, also one that no vendor would send. @returns the status of the answer */
  sendBody(body: string, headers?: Record<string, string>): Promise<number>;
  /** All attempts, once those that go by themselves have been made. */
  pushes(): Promise<GarminPush[]>;
  /** Items that were not taken yet. */
  waitingItems(): Promise<number>;

  /** How long an export takes; 0, the default: it is sent immediately. */
  setExportDelay(seconds: number): Promise<void>;
  /** Sends the exports that are due, or all. @returns how many */
  runExports(options?: { all?: boolean }): Promise<number>;
  /** Exports that were taken and not sent. */
  openExports(): Promise<{ account: string; key: SummaryKey; fromSeconds: number; toSeconds: number }[]>;

  /** All that the vendor holds of a person, as it would push it. */
  summaries(account: string): Promise<GarminItems>;
  /** What a client must hold in the end. */
  truth(account: string): Promise<GarminTruth>;
  /** Forgets everything: people, tokens, faults, times. */
  reset(): Promise<void>;
}
