import type pg from 'pg';
import { tooMany } from './call-limits.js';
import { hashSecret } from './secrets.js';

/** Each further failure doubles the wait, from the first to the longest. */
const FIRST_WAIT_SECONDS = 5;
const MAX_WAIT_SECONDS = 900;
const FORGET_AFTER_HOURS = 24;

// The attempt counts as a failure before the password is looked at, and success takes that back: of many guesses sent
// at once no more get through than of guesses sent one after another.
const ATTEMPT = `
insert into login_failure as f (account_hash, failures, locked_until, last_at)
values ($1, 1, case when $2 <= 1 then now() + make_interval(secs => $5) else now() end, now())
on conflict (account_hash) do update set (failures, locked_until, last_at) = (
  select n.failures, now() + make_interval(secs =>
      case when n.failures < $2 then 0 else least($3, $5 * power(2, least(n.failures - $2, 20))) end), now()
  from (select case when f.last_at < now() - make_interval(hours => $4) then 1 else f.failures + 1 end as failures) n)
where f.locked_until <= now()
returning failures`;

const SECONDS_LEFT = `
select extract(epoch from locked_until - now())::float8 as seconds from login_failure where account_hash = $1`;

/**
 * Makes guessing a password slow: after some failures in a row an account must wait before the next attempt, longer each
 * time. Accounts that do not exist wait alike.
 */
export class LoginLocks {
  /** @param failuresBeforeWait 0 never locks */
  constructor(
    private readonly pool: pg.Pool,
    private readonly failuresBeforeWait: number,
  ) {}

  /** Call before a password is compared. @throws Failure `too_many_requests` while the account must wait */
  async attempt(email: string): Promise<void> {
    if (this.failuresBeforeWait === 0) return;
    const account = accountHash(email);
    const values = [account, this.failuresBeforeWait, MAX_WAIT_SECONDS, FORGET_AFTER_HOURS, FIRST_WAIT_SECONDS];
    const { rowCount } = await this.pool.query({ name: 'login-attempt', text: ATTEMPT, values });
    if (rowCount === 1) return;
    const left = await this.pool.query<{ seconds: number }>(SECONDS_LEFT, [account]);
    throw tooMany(left.rows[0]?.seconds ?? 1);
  }

  /** Call when the password was right, or was replaced: earlier failures no longer count. */
  async succeed(email: string): Promise<void> {
    if (this.failuresBeforeWait === 0) return;
    await this.pool.query('delete from login_failure where account_hash = $1', [accountHash(email)]);
  }

  async purge(): Promise<void> {
    await this.pool.query('delete from login_failure where last_at < now() - make_interval(hours => $1)', [
      FORGET_AFTER_HOURS,
    ]);
  }
}

function accountHash(email: string): Buffer {
  return hashSecret(`login/${email.toLowerCase()}`);
}
