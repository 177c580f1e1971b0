import type { LimitName } from '@healthd/contract';
import type pg from 'pg';
import { Failure } from '../platform/failures.js';
import { addressKey } from '../platform/address-key.js';
import { hashSecret } from './secrets.js';

/** Calls per minute; 0 means unlimited. */
export interface LimitNumbers {
  /** Per IP address. */
  perAddress: Record<LimitName, number>;
  /** Per application for token exchanges, per session for refreshes. */
  perAccount: Record<'token' | 'refresh', number>;
}

const WINDOW_SECONDS = 60;

// A single statement, so that all processes share one counter and concurrent calls are all counted.
const COUNT = `
insert into call_count as c (subject_hash, calls, ends_at)
values ($1, 1, now() + make_interval(secs => $2))
on conflict (subject_hash) do update set
  calls = case when c.ends_at <= now() then 1 else c.calls + 1 end,
  ends_at = case when c.ends_at <= now() then excluded.ends_at else c.ends_at end
returning calls, ceil(extract(epoch from ends_at - now()))::int as seconds_left`;

/** Counts calls by IP address and by account across all processes. */
export class CallLimits {
  constructor(
    private readonly pool: pg.Pool,
    private readonly numbers: LimitNumbers,
  ) {}

  /** @throws Failure `too_many_requests` */
  async countAddress(name: LimitName, address: string | undefined): Promise<void> {
    await this.#count(`${name}/address/${addressKey(address ?? '')}`, this.numbers.perAddress[name]);
  }

  /**
   * Counts a call against the account's limit. Call it only after authentication, so that a stranger cannot use up the
   * limit.
   * @throws Failure `too_many_requests`
   */
  async countAccount(name: 'token' | 'refresh', account: string): Promise<void> {
    await this.#count(`${name}/account/${account}`, this.numbers.perAccount[name]);
  }

  /** Deletes windows that have ended. */
  async purge(): Promise<void> {
    await this.pool.query('delete from call_count where ends_at < now()');
  }

  async #count(subject: string, limit: number): Promise<void> {
    if (limit === 0) return;
    const { rows } = await this.pool.query<{ calls: number; seconds_left: number }>({
      name: 'count-call',
      text: COUNT,
      values: [hashSecret(subject), WINDOW_SECONDS],
    });
    const counted = rows[0];
    if (counted && counted.calls > limit) throw tooMany(counted.seconds_left);
  }
}

/** Returns the failure for a caller that must wait this many seconds. */
export function tooMany(seconds: number): Failure {
  const headers = { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) };
  return new Failure('too_many_requests', 'Too many attempts. Try again later.', { headers });
}
