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
 * Control interface for tests, outside of the vendor's API. Over HTTP each method is `POST /control/<method>` with a
 * JSON array of its arguments as body.
 */
export interface GarminControl {
  addAccount(input?: GarminAccountInput): Promise<GarminAccount>;
  accounts(): Promise<GarminAccount[]>;
  /** Returns the formats in which the vendor delivers an account's data. */
  formsOf(account: string): Promise<GarminForms>;
  setForms(account: string, forms: Partial<GarminForms>): Promise<void>;

  /** The simulator's time, RFC 3339. */
  now(): Promise<string>;
  /** Sets the clock, which advances from there. */
  setClock(instant: string): Promise<void>;
  /** Advances the clock and sends exports that become due. */
  advanceClock(seconds: number): Promise<void>;

  /** Stores summaries like a device upload; pushes them unless `push` is false or the user is not connected. */
  put(account: string, items: GarminItems, options?: { push?: boolean }): Promise<void>;
  /** Stores generated history until now without pushes. The same seed and end yield the same summaries. */
  seedHistory(account: string, options?: GarminHistoryOptions): Promise<{ items: number }>;
  /** Adds the generated data since the last call and pushes it. @param options as seeded */
  growHistory(account: string, options?: GarminHistoryOptions): Promise<{ items: number }>;

  /** @returns the fault's id. Faults are checked in order of addition; one fires per request. */
  addFault(fault: GarminFault): Promise<string>;
  clearFaults(): Promise<void>;
  /** Disables types for the application, as in the vendor's portal. */
  disableSummaries(keys: SummaryKey[]): Promise<void>;

  /** Returns requests; export paths include the query. @param path a part of the path */
  requests(path?: string): Promise<RequestRecord[]>;
  clearRequests(): Promise<void>;

  /** Sets the result of automatic consent. */
  setConsent(consent: AutomaticGarminConsent): Promise<void>;
  /** Selects whether permissions are a plain list or within an object, both of which real responses use. */
  setPermissionsShape(shape: 'bare' | 'object'): Promise<void>;
  /** Expires access tokens of one account or of all; refresh tokens stay valid. */
  expireAccessTokens(account?: string): Promise<void>;
  /** Revokes all tokens of an account silently, like a lost deregistration. */
  revokeGrants(account: string): Promise<void>;
  /** True if the application may still access the account. */
  isConnected(account: string): Promise<boolean>;
  /** Revokes the consent like the user in the vendor's app, and notifies the application. */
  deregister(account: string): Promise<void>;
  /** Changes the permissions like the user, and notifies the application. */
  changePermissions(account: string, permissions: GarminPermission[]): Promise<void>;

  /** Sets the URL in the vendor's portal; undefined disables pushes. */
  setPushTarget(target?: PushTarget): Promise<void>;
  /** Sends held and previously rejected pushes. */
  flushPushes(options?: { reversed?: boolean; twice?: boolean }): Promise<GarminPush[]>;
  /** Sends any body now, even one that no vendor would send. @returns the response status */
  sendBody(body: string, headers?: Record<string, string>): Promise<number>;
  /** Returns all attempts, after the automatic ones have finished. */
  pushes(): Promise<GarminPush[]>;
  /** Returns the number of items that are not accepted yet. */
  waitingItems(): Promise<number>;

  /** Sets the duration of an export; 0, the default, sends it immediately. */
  setExportDelay(seconds: number): Promise<void>;
  /** Sends the exports that are due, or all. @returns their number */
  runExports(options?: { all?: boolean }): Promise<number>;
  /** Returns accepted exports that were not sent yet. */
  openExports(): Promise<{ account: string; key: SummaryKey; fromSeconds: number; toSeconds: number }[]>;

  /** Returns all data of an account in pushed form. */
  summaries(account: string): Promise<GarminItems>;
  /** Returns the data that a client must end up with. */
  truth(account: string): Promise<GarminTruth>;
  /** Resets everything: accounts, tokens, faults, time. */
  reset(): Promise<void>;
}
