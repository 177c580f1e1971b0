import { SECONDS_PER_HOUR } from '@healthd/model';
import { SimulatorClock } from '../clock.js';
import { type Call, FaultPlan, isTarget, type RequestRecord } from '../vendor/index.js';
import { Account, type AccountInput } from './account.js';
import type { WhoopFault } from './faults.js';
import { Grants } from './grants.js';
import type { AutomaticConsent, WhoopSimulatorOptions } from './options.js';
import { RateLimit } from './rate-limit.js';
import { Webhooks } from './webhooks.js';

const FIRST_USER_ID = 778_001;
const BODY = { height_meter: 1.79, weight_kilogram: 74.2, max_heart_rate: 191 };

/** State of the simulated vendor. */
export class Service {
  readonly clock = new SimulatorClock();
  readonly client = { id: 'sim-whoop-client', secret: 'sim-whoop-client-secret' };
  readonly grants: Grants;
  readonly limit: RateLimit;
  readonly faults = new FaultPlan<WhoopFault, Call>(isTarget);
  readonly webhooks: Webhooks;
  readonly autoConsent: boolean;
  consent: AutomaticConsent = {};
  requests: RequestRecord[] = [];
  private readonly people = new Map<string, Account>();

  constructor({ now, autoConsent = false, accessTokenSeconds = SECONDS_PER_HOUR, limits }: WhoopSimulatorOptions) {
    if (now !== undefined) this.clock.set(now);
    this.autoConsent = autoConsent;
    this.grants = new Grants(this.clock, accessTokenSeconds);
    this.limit = new RateLimit(this.clock, { perMinute: 100, perDay: 10_000, ...limits });
    this.webhooks = new Webhooks(this.clock, this.client.secret);
  }

  /** @throws if the id exists */
  addAccount({ body = BODY, ...given }: AccountInput): Account {
    const userId = given.userId ?? FIRST_USER_ID + this.people.size;
    const id = given.id ?? `person-${userId}`;
    if (this.people.has(id)) throw new Error(`the account ${id} exists`);
    const facts = {
      id,
      userId,
      email: `${id}@example.com`,
      firstName: 'Ada',
      lastName: 'Nowak',
      timeZone: 'Europe/Warsaw',
      ...given,
    };
    const account = new Account(facts, body);
    this.people.set(id, account);
    return account;
  }

  accounts(): Account[] {
    return [...this.people.values()];
  }

  /** Finds an account by control id or email; the first one without a name. */
  account(name: string | undefined): Account | undefined {
    if (name === undefined || name === '') return this.accounts()[0];
    return this.accounts().find(({ facts }) => facts.id === name || facts.email === name);
  }

  /** @throws if no account has this id */
  requireAccount(id: string): Account {
    const account = this.people.get(id);
    if (!account) throw new Error(`no account ${id}`);
    return account;
  }

  reset(): void {
    this.people.clear();
    this.grants.clear();
    this.faults.clear();
    this.webhooks.clear();
    this.limit.clear();
    this.requests = [];
    this.consent = {};
    this.clock.reset();
  }
}
