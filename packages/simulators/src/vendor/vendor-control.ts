import type { RequestRecord } from './call.js';
import type { Delivery, DeliveryChange } from './deliveries.js';
import type { VendorFault } from './faults.js';
import type { Person, PersonFacts } from './people.js';
import type { AutomaticConsent, VendorCore } from './vendor-core.js';

/**
 * What a test decides or asks behind any vendor's back. Over HTTP each method is `POST /control/<method>` with the JSON array
 * of its arguments as body.
 */
export interface VendorControl {
  addAccount(input?: Partial<PersonFacts>): Promise<PersonFacts>;
  accounts(): Promise<PersonFacts[]>;

  /** The simulator's time, RFC 3339. */
  now(): Promise<string>;
  /** Sets the clock; it runs on from there. */
  setClock(instant: string): Promise<void>;
  advanceClock(seconds: number): Promise<void>;

  /** @returns the fault's id. Faults added first are looked at first; one fires for each request. */
  addFault(fault: VendorFault): Promise<string>;
  clearFaults(): Promise<void>;
  /** Sends the answers that faults hold back. */
  releaseAnswers(): Promise<void>;

  /** @param path a part of the path */
  requests(path?: string): Promise<RequestRecord[]>;
  clearRequests(): Promise<void>;

  /** How the automatic consent answers from now on. */
  setConsent(consent: AutomaticConsent): Promise<void>;
  /** Ends the grants of an account as the person does in the app. */
  revokeGrants(account: string): Promise<void>;
  /** Kills access tokens, of one account or of all; refresh tokens live on. */
  expireAccessTokens(account?: string): Promise<void>;
  /** Scopes of an account's grants that are still alive. */
  grantedScopes(account: string): Promise<string[]>;

  /** Whether events go by themselves, or wait for flushDeliveries. */
  holdDeliveries(held: boolean): Promise<void>;
  /** Sends what is held. */
  flushDeliveries(options?: { reversed?: boolean; twice?: boolean }): Promise<Delivery[]>;
  /** Sends one event now, also one that no vendor would send. @returns the status of the answer */
  sendEvent(event: object, change?: DeliveryChange): Promise<number>;
  /** All attempts, once those that go by themselves have been made. */
  deliveries(): Promise<Delivery[]>;

  /** Forgets accounts, grants, faults, requests and subscriptions; the clock goes back to real time. */
  reset(): Promise<void>;
}

/** The control of what vendors have in common. @param firstUserId number of the first account without an id of its own */
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
