import { SimulatorClock } from '../clock.js';
import type { Call, RequestRecord } from './call.js';
import type { Deliveries } from './deliveries.js';
import { FaultPlan, isTarget } from './fault-plan.js';
import type { VendorFault } from './faults.js';
import { type GrantRules, Grants } from './grants.js';
import { HeldAnswers } from './held-answers.js';
import { People, type Person, type PersonFacts } from './people.js';

/** Start options of a simulated vendor; all are optional. */
export interface VendorOptions {
  /** Loopback port; 0, the default, selects a free one. */
  port?: number;
  /** Start of its clock, RFC 3339; the clock then advances. Default: the real time. */
  now?: string;
  /** Redirects from the authorize page immediately, without the consent form. Default false. */
  autoConsent?: boolean;
}

/** Result of automatic consent. */
export interface AutomaticConsent {
  decision?: 'allow' | 'deny';
  /** Account that consents if the request has no `login_hint`; default the first one. */
  account?: string;
  /** Granted scopes, among the requested ones; default all. */
  scopes?: string[];
}

/** Common parts of simulated vendors. */
export class VendorCore<P extends Person = Person> {
  readonly clock = new SimulatorClock();
  readonly client: { id: string; secret: string };
  readonly grants: Grants;
  readonly faults = new FaultPlan<VendorFault, Call>(isTarget);
  readonly heldAnswers = new HeldAnswers();
  readonly people: People<P>;
  readonly autoConsent: boolean;
  /** Set by vendors that send events. */
  deliveries: Deliveries | undefined;
  consent: AutomaticConsent = {};
  requests: RequestRecord[] = [];

  /** @param name part of the client's id and secret */
  constructor(name: string, given: VendorOptions, grants: GrantRules, create: (facts: PersonFacts) => P) {
    if (given.now !== undefined) this.clock.set(given.now);
    this.client = { id: `sim-${name}-client`, secret: `sim-${name}-client-secret` };
    this.autoConsent = given.autoConsent ?? false;
    this.grants = new Grants(this.clock, grants);
    this.people = new People(create);
  }

  reset(): void {
    this.people.clear();
    this.grants.clear();
    this.faults.clear();
    this.heldAnswers.release();
    this.deliveries?.clear();
    this.requests = [];
    this.consent = {};
    this.clock.reset();
  }
}
