import type { AccountFacts, SimulatedAccount } from './accounts.js';
import type { RequestRecord } from './call.js';
import type { Delivery, DeliveryChange } from './deliveries.js';
import type { FaultLimits } from './fault-plan.js';
import type { VendorFault } from './faults.js';
import type { GrantStore } from './grants.js';
import type { AutomaticConsent, VendorCore, VendorState } from './vendor-core.js';

/**
 * Controls a simulated vendor in tests. `F` is the type of the vendor's faults. Over HTTP each method is `POST
 * /control/<method>` with the JSON array of its arguments as body.
 */
export interface CommonControl<F> {
  /** Returns the simulator's time in RFC 3339. */
  now(): Promise<string>;
  /** Sets the clock, which advances from there. */
  setClock(instant: string): Promise<void>;
  advanceClock(seconds: number): Promise<void>;

  /**
   * Adds a fault. A request triggers at most one fault: the first matching fault in the order of their addition.
   * @returns the fault's id
   */
  addFault(fault: F): Promise<string>;
  clearFaults(): Promise<void>;
  clearRequests(): Promise<void>;

  /** Sets the result of automatic consent. Undefined members are reset to their defaults. */
  setConsent(consent: AutomaticConsent): Promise<void>;
  /** Revokes the grants of an account like the user in the app. */
  revokeGrants(account: string): Promise<void>;
  /** Expires the access tokens of one account or of all accounts. Refresh tokens stay valid. */
  expireAccessTokens(account?: string): Promise<void>;
  /** Returns the scopes of an account's valid grants. */
  grantedScopes(account: string): Promise<string[]>;

  /** Deletes accounts and their data, grants, faults, requests and subscriptions. Resets the clock to real time. */
  reset(): Promise<void>;
}

/** The control of a vendor with the common faults and deliveries. */
export interface VendorControl extends CommonControl<VendorFault> {
  addAccount(input?: Partial<AccountFacts>): Promise<AccountFacts>;
  accounts(): Promise<AccountFacts[]>;
  /** Sends the responses that faults hold back. */
  releaseAnswers(): Promise<void>;
  /** @param path substring of the path */
  requests(path?: string): Promise<RequestRecord[]>;

  /** True to hold events until flushDeliveries; false to send them automatically. */
  holdDeliveries(held: boolean): Promise<void>;
  /** Sends held events. */
  flushDeliveries(options?: { reversed?: boolean; twice?: boolean }): Promise<Delivery[]>;
  /** Sends one event now, even an event that no vendor would send. @returns the response status */
  sendEvent(event: object, change?: DeliveryChange): Promise<number>;
  /** Waits for the automatic attempts, then returns all attempts. */
  deliveries(): Promise<Delivery[]>;
}

/** Returns the control of a vendor's state. */
export function commonControl<P extends SimulatedAccount, G extends GrantStore, F extends FaultLimits>(
  state: VendorState<P, G, F>,
): CommonControl<F> {
  const { clock, grants, faults, accounts } = state;
  return {
    now: async () => clock.now(),
    setClock: async (instant) => clock.set(instant),
    advanceClock: async (seconds) => clock.advance(seconds),
    addFault: async (fault) => faults.add(fault),
    clearFaults: async () => faults.clear(),
    async clearRequests() {
      state.requests = [];
    },
    async setConsent(consent) {
      state.consent = consent;
    },
    revokeGrants: async (id) => grants.revoke(accounts.require(id).facts.id),
    expireAccessTokens: async (id) => grants.expireAccess(id),
    grantedScopes: async (id) => grants.liveOf(id).flatMap(({ scopes }) => [...scopes]),
    reset: async () => state.reset(),
  };
}

/** Returns the control of a vendor. @param firstUserId number of the first account without an explicit id */
export function vendorControl<P extends SimulatedAccount>(core: VendorCore<P>, firstUserId: number): VendorControl {
  const { heldAnswers: heldResponses, accounts } = core;
  return {
    ...commonControl(core),
    addAccount: async (input = {}) => accounts.add(input, firstUserId).facts,
    accounts: async () => accounts.all().map(({ facts }) => facts),
    releaseAnswers: async () => heldResponses.release(),
    requests: async (path = '') => core.requests.filter((request) => request.path.includes(path)),
    async holdDeliveries(held) {
      if (core.deliveries) core.deliveries.mode = held ? 'held' : 'auto';
    },
    flushDeliveries: async (options) => core.deliveries?.flush(options) ?? [],
    sendEvent: async (event, change) => core.deliveries?.send(event, change) ?? 0,
    deliveries: async () => core.deliveries?.all() ?? [],
  };
}
