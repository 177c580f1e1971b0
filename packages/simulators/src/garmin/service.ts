import { SECONDS_PER_DAY } from '@healthd/model';
import type { Answer } from '../response.js';
import { VendorCore } from '../vendor/index.js';
import { Account } from './account.js';
import { Callbacks } from './callbacks.js';
import { Exports } from './exports.js';
import { formsOf } from './forms.js';
import { Pushes } from './pushes.js';
import { rejectedResponse } from './rejected.js';
import type { GarminLimits, GarminSimulatorOptions } from './simulator.js';

const MINUTE_MS = 60_000;

/** State of the simulated vendor. */
export class Service extends VendorCore<Account> {
  readonly webhookToken = 'sim-garmin-webhook-token';
  readonly callbacks = new Callbacks(this.clock);
  readonly pushes = new Pushes(this.client.id, this.webhookToken, this.callbacks);
  readonly exports: Exports;
  /** True if the permissions response is a plain list, false if it is an object. Real responses have both formats. */
  barePermissions = true;
  private readonly limits: GarminLimits;

  constructor(options: GarminSimulatorOptions) {
    const { accessTokenSeconds: accessSeconds = SECONDS_PER_DAY, seed = 1 } = options;
    super(
      'garmin',
      options,
      { accessSeconds, refreshes: true, needsRedirectUri: true },
      (facts) => new Account({ ...facts, hasCycles: false }, formsOf(seed, facts.id)),
    );
    this.limits = { requestsPerMinute: 100, exportDaysPerMinute: 10_000, ...options.limits };
    this.exports = new Exports(this.clock, this.limits.exportDaysPerMinute, (account, items) =>
      this.pushes.publish(account, items),
    );
  }

  /** Checks a request against the recorded requests of the last minute. @returns a rejection if it exceeds the limit */
  take({ account: id }: { account?: string | undefined }): { refusal?: Answer } {
    const since = this.clock.nowMs() - MINUTE_MS;
    const recent = this.requests.filter(({ role, at }) => role === 'api' && Date.parse(at) > since);
    if (recent.length < this.limits.requestsPerMinute) return {};
    const rejection = rejectedResponse(429, 'Too many requests');
    const says = id !== undefined && this.accounts.require(id).forms.limit === 'retry_after';
    return { refusal: says ? { ...rejection, headers: { ...rejection.headers, 'retry-after': '14' } } : rejection };
  }

  /** Ends the link between an account and the application. */
  deregister(account: Account): void {
    this.grants.revoke(account.facts.id);
    account.disconnect();
  }

  override reset(): void {
    super.reset();
    for (const part of [this.pushes, this.callbacks, this.exports]) part.clear();
  }
}
