import { SimulatorClock } from '../clock.js';
import { type AccountFacts, AccountList, type SimulatedAccount } from './accounts.js';
import type { Call, RequestRecord } from './call.js';
import type { Deliveries } from './deliveries.js';
import { type FaultLimits, FaultPlan, isTarget } from './fault-plan.js';
import type { VendorFault } from './faults.js';
import { type GrantRules, type GrantStore, Grants } from './grants.js';
import { HeldResponses } from './held-responses.js';

/** Start options of a simulated vendor; all are optional. */
export interface VendorOptions {
  /** Loopback port. Default 0, which selects a free port. */
  port?: number;
  /** Start time of the simulator's clock, RFC 3339. The clock advances from there. Default: the real time. */
  now?: string;
  /** Redirects from the authorize page immediately, without the consent form. Default false. */
  autoConsent?: boolean;
}

/** Result of automatic consent. */
export interface AutomaticConsent {
  decision?: 'allow' | 'deny';
  /** Account that consents if the request has no `login_hint`. Default: the first account. */
  account?: string;
  /** Subset of the requested scopes to grant. Default: the user's selection, which is usually all scopes. */
  scopes?: string[];
}

/** The registered OAuth client of a simulated vendor. */
export interface SimulatedClient {
  id: string;
  secret: string;
  /** Registered redirect URLs, compared byte for byte. Undefined allows every http URL of this machine. */
  redirectUris?: string[] | undefined;
}

/** Parts that differ between vendors. */
interface VendorParts<P extends SimulatedAccount, G extends GrantStore, F extends FaultLimits> {
  client: SimulatedClient;
  grants(clock: SimulatorClock): G;
  faults: FaultPlan<F, Call>;
  account(facts: AccountFacts): P;
}

/** State of a simulated vendor with its own tokens and faults. */
export class VendorState<P extends SimulatedAccount, G extends GrantStore, F extends FaultLimits> {
  readonly clock = new SimulatorClock();
  readonly client: SimulatedClient;
  readonly grants: G;
  readonly faults: FaultPlan<F, Call>;
  readonly accounts: AccountList<P>;
  readonly autoConsent: boolean;
  consent: AutomaticConsent = {};
  requests: RequestRecord[] = [];

  constructor(options: VendorOptions, parts: VendorParts<P, G, F>) {
    if (options.now !== undefined) this.clock.set(options.now);
    this.client = parts.client;
    this.autoConsent = options.autoConsent ?? false;
    this.grants = parts.grants(this.clock);
    this.faults = parts.faults;
    this.accounts = new AccountList(parts.account);
  }

  reset(): void {
    this.accounts.clear();
    this.grants.clear();
    this.faults.clear();
    this.requests = [];
    this.consent = {};
    this.clock.reset();
  }
}

/** State of a simulated vendor with the common tokens and faults. */
export class VendorCore<P extends SimulatedAccount = SimulatedAccount> extends VendorState<P, Grants, VendorFault> {
  readonly heldAnswers = new HeldResponses();
  /** Set by vendors that report changes. */
  deliveries: Deliveries | undefined;

  /** @param name part of the client's id and secret */
  constructor(name: string, options: VendorOptions, rules: GrantRules, account: (facts: AccountFacts) => P) {
    super(options, {
      client: { id: `sim-${name}-client`, secret: `sim-${name}-client-secret` },
      grants: (clock) => new Grants(clock, rules),
      faults: new FaultPlan<VendorFault, Call>(isTarget),
      account,
    });
  }

  override reset(): void {
    super.reset();
    this.heldAnswers.release();
    this.deliveries?.clear();
  }
}
