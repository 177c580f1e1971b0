import { MS_PER_MINUTE, SECONDS_PER_DAY } from '@healthd/model';
import type { Answer } from '../answer.js';
import { SimulatorClock } from '../clock.js';
import { type Call, FaultPlan, isTarget, type RequestRecord } from '../vendor/index.js';
import { Account, type GarminAccountInput } from './account.js';
import { Callbacks } from './callbacks.js';
import type { GarminFault } from './faults.js';
import { formed, formsOf, recordedVersion } from './forms.js';
import { Grants } from './grants.js';
import type { AutomaticGarminConsent, GarminLimits, GarminSimulatorOptions } from './options.js';
import { Pushes } from './pushes.js';
import { refused } from './refused.js';
import type { GarminItem, GarminItems, SummaryKey } from './wire-types.js';

/** An accepted export that was not sent yet. */
interface QueuedExport {
  account: string;
  key: SummaryKey;
  fromSeconds: number;
  toSeconds: number;
  dueMs: number;
}

/** Days of history that may be requested per minute. */
class DayBudget {
  private taken: { atMs: number; days: number }[] = [];

  constructor(
    private readonly nowMs: () => number,
    private readonly perMinute: number,
  ) {}

  take(days: number): boolean {
    const since = this.nowMs() - MS_PER_MINUTE;
    this.taken = this.taken.filter(({ atMs }) => atMs > since);
    const sum = this.taken.reduce((total, one) => total + one.days, 0);
    if (sum + days > this.perMinute) return false;
    this.taken.push({ atMs: this.nowMs(), days });
    return true;
  }

  clear(): void {
    this.taken = [];
  }
}

/** State of the simulated vendor. */
export class Service {
  readonly clock = new SimulatorClock();
  readonly client = { id: 'sim-garmin-client', secret: 'sim-garmin-client-secret' };
  readonly webhookToken = 'sim-garmin-webhook-token';
  readonly grants: Grants;
  readonly faults = new FaultPlan<GarminFault, Call>(isTarget);
  readonly pushes = new Pushes(this.client.id, this.webhookToken);
  readonly callbacks = new Callbacks(this.clock);
  readonly exportDays: DayBudget;
  readonly limits: GarminLimits;
  readonly autoConsent: boolean;
  readonly disabledKeys = new Set<SummaryKey>();
  consent: AutomaticGarminConsent = {};
  /** Real responses have both formats. */
  barePermissions = true;
  exportDelaySeconds = 0;
  exports: QueuedExport[] = [];
  /** Including the query of export requests. */
  requests: RequestRecord[] = [];
  private readonly people = new Map<string, Account>();

  private readonly seed: number;

  constructor({
    now,
    autoConsent = false,
    accessTokenSeconds = SECONDS_PER_DAY,
    seed = 1,
    limits,
  }: GarminSimulatorOptions) {
    this.seed = seed;
    if (now !== undefined) this.clock.set(now);
    this.autoConsent = autoConsent;
    this.limits = { requestsPerMinute: 100, exportDaysPerMinute: 10_000, ...limits };
    this.grants = new Grants(this.clock, accessTokenSeconds);
    this.exportDays = new DayBudget(() => this.clock.nowMs(), this.limits.exportDaysPerMinute);
  }

  /** @throws if the id exists */
  addAccount(given: GarminAccountInput): Account {
    const number = this.people.size + 1;
    const id = given.id ?? `person-${number}`;
    if (this.people.has(id)) throw new Error(`the account ${id} exists`);
    const userId = Buffer.from(`garmin user ${id}`).toString('hex').slice(0, 32).padEnd(32, '0');
    const facts = { id, userId, timeZone: 'Europe/Warsaw', hasCycles: number % 2 === 0, ...given };
    const account = new Account(facts, formsOf(this.seed, id));
    this.people.set(id, account);
    return account;
  }

  accounts(): Account[] {
    return [...this.people.values()];
  }

  /** Finds an account by control id; the first one without a name. */
  account(name: string | undefined): Account | undefined {
    return name === undefined || name === '' ? this.accounts()[0] : this.people.get(name);
  }

  /** @throws if no account has this id */
  requireAccount(id: string): Account {
    const account = this.people.get(id);
    if (!account) throw new Error(`no account ${id}`);
    return account;
  }

  /** Delivers summaries in the account's formats. */
  publish({ facts, forms }: Account, items: GarminItems): void {
    for (const [key, list] of Object.entries(items) as [SummaryKey, GarminItem[]][]) {
      const ready = list.map((item) => formed(forms, key, item));
      if (ready.length === 0) continue;
      // The operator chose push for historical activity details.
      if (forms.delivery === 'push' || key === 'activityDetails') this.pushes.publish(facts.userId, { [key]: ready });
      else this.pushes.announce(key, this.callbacks.announce(facts, key, ready));
      if (key === 'manuallyUpdatedActivities' && forms.repeatsRecorded)
        this.pushes.publish(facts.userId, { activities: ready.map(recordedVersion) });
      if (key === 'activityDetails' && forms.announcesFiles)
        for (const details of ready) this.pushes.announce('activityFiles', this.callbacks.announceFile(facts, details));
    }
  }

  /** Returns the rejection of a request over the limit. */
  overLimit(account: string | undefined): Answer {
    const answer = refused(429, 'Too many requests');
    const says = account !== undefined && this.people.get(account)?.forms.limit === 'retry_after';
    return says ? { ...answer, headers: { ...answer.headers, 'retry-after': '14' } } : answer;
  }

  /** Ends the link between an account and the application. Afterwards everything may be exported again. */
  deregister(account: Account): void {
    this.grants.revoke(account.facts.id);
    account.connectedMs = undefined;
    account.permissions = [];
    account.exported.length = 0;
  }

  /** True if the minute allows another request. */
  takesRequest(): boolean {
    const since = this.clock.nowMs() - 60_000;
    const recent = this.requests.filter(({ role, at }) => role === 'api' && Date.parse(at) > since);
    return recent.length < this.limits.requestsPerMinute;
  }

  reset(): void {
    this.people.clear();
    this.grants.clear();
    this.faults.clear();
    this.pushes.clear();
    this.callbacks.clear();
    this.exportDays.clear();
    this.disabledKeys.clear();
    this.exports = [];
    this.requests = [];
    this.consent = {};
    this.exportDelaySeconds = 0;
    this.clock.reset();
  }
}
