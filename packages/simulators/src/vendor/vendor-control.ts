import type { RequestRecord } from './call.js';
import type { Delivery, DeliveryChange } from './deliveries.js';
import type { VendorFault } from './faults.js';
import type { Person, PersonFacts } from './people.js';
import type { AutomaticConsent, VendorCore } from './vendor-core.js';

/**
 * Control interface of any vendor for tests, outside of its API. Over HTTP each method is `POST /control/<method>` with
 * a JSON array of its arguments as body.
 */
export interface VendorControl {
  addAccount(input?: Partial<PersonFacts>): Promise<PersonFacts>;
  accounts(): Promise<PersonFacts[]>;

  /** The simulator's time, RFC 3339. */
  now(): Promise<string>;
  /** Sets the clock, which advances from there. */
  setClock(instant: string): Promise<void>;
  advanceClock(seconds: number): Promise<void>;

  /** @returns the fault's id. Faults are checked in order of addition; one fires per request. */
  addFault(fault: VendorFault): Promise<string>;
  clearFaults(): Promise<void>;
  /** Releases the responses that faults hold. */
  releaseAnswers(): Promise<void>;

  /** @param path a part of the path */
  requests(path?: string): Promise<RequestRecord[]>;
  clearRequests(): Promise<void>;

  /** Sets the result of automatic consent. */
  setConsent(consent: AutomaticConsent): Promise<void>;
  /** Revokes the grants of an account like the user in the app. */
  revokeGrants(account: string): Promise<void>;
  /** Expires access tokens of one account or of all; refresh tokens stay valid. */
  expireAccessTokens(account?: string): Promise<void>;
  /** Returns the scopes of an account's valid grants. */
  grantedScopes(account: string): Promise<string[]>;

  /** Sets whether events are sent automatically, or wait for flushDeliveries. */
  holdDeliveries(held: boolean): Promise<void>;
  /** Sends held events. */
  flushDeliveries(options?: { reversed?: boolean; twice?: boolean }): Promise<Delivery[]>;
  /** Sends one event now, even one that no vendor would send. @returns the response status */
  sendEvent(event: object, change?: DeliveryChange): Promise<number>;
  /** Returns all attempts, after the automatic ones have finished. */
  deliveries(): Promise<Delivery[]>;

  /** Resets accounts, grants, faults, requests and subscriptions; the clock returns to real time. */
  reset(): Promise<void>;
}

/** Returns the control that vendors share. @param firstUserId id of the first account without a specified id */
export function vendorControl<P extends Person>(core: VendorCore<P>, firstUserId: number): VendorControl {
  const { clock, grants, faults, heldAnswers, people } = core;
  return {
    addAccount: async (input = {}) => people.add(input, firstUserId).facts,
    accounts: async () => people.all().map(({ facts }) => facts),
    now: async () => clock.now(),
    setClock: async (instant) => clock.set(instant),
    advanceClock: async (seconds) => clock.advance(seconds),
    addFault: async (fault) => faults.add(fault),
    clearFaults: async () => faults.clear(),
    releaseAnswers: async () => heldAnswers.release(),
    requests: async (path = '') => core.requests.filter((request) => request.path.includes(path)),
    async clearRequests() {
      core.requests = [];
    },
    async setConsent(consent) {
      core.consent = consent;
    },
    revokeGrants: async (id) => grants.revoke(people.require(id).facts.id),
    expireAccessTokens: async (id) => grants.expireAccess(id),
    grantedScopes: async (id) => grants.liveOf(id).flatMap(({ scopes }) => scopes),
    async holdDeliveries(held) {
      if (core.deliveries) core.deliveries.mode = held ? 'held' : 'auto';
    },
    flushDeliveries: async (options) => core.deliveries?.flush(options) ?? [],
    sendEvent: async (event, change) => core.deliveries?.send(event, change) ?? 0,
    deliveries: async () => core.deliveries?.all() ?? [],
    reset: async () => core.reset(),
  };
}
