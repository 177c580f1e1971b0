import type pg from 'pg';
import { addressKey } from '../platform/address-key.js';
import { tooMany } from './call-limits.js';
import { normalizeLoginName } from './login-name.js';
import { hashSecret } from './secrets.js';

/** The account and IP address of a password attempt. */
export interface LoginAttempt {
  /** Email of the account, in any spelling. */
  email: string;
  address: string | undefined;
}

/** Wait after the last free attempt. Each further failure doubles it, up to {@link MAX_WAIT_SECONDS}. */
const FIRST_WAIT_SECONDS = 5;
const MAX_WAIT_SECONDS = 900;
const FORGET_AFTER_HOURS = 24;
/** Number of IP addresses whose free attempts, if all fail, lock the account for all unknown IP addresses. */
const ADDRESSES_BEFORE_ACCOUNT_WAITS = 20;
/** Days after a login for which its IP address counts as a known address of the account. */
const KNOWN_ADDRESS_DAYS = 90;

/** Address hash of the row that counts the failures of all addresses together. */
const EVERYWHERE = Buffer.alloc(0);

/**
 * `locked_until` of a row without a wait. It is not `now()`, because a concurrent attempt with a slightly earlier
 * `now()` would then be rejected.
 */
const NEVER = `'-infinity'::timestamptz`;

// Counts the attempt as a failure before the password is checked; a success clears the count. Concurrent guesses
// therefore get no more attempts than sequential ones.
const ATTEMPT = `
insert into login_failure as f (account_hash, address_hash, failures, locked_until, last_at)
values ($1, $2, 1, case when $3 <= 1 then now() + make_interval(secs => $6) else ${NEVER} end, now())
on conflict (account_hash, address_hash) do update set (failures, locked_until, last_at) = (
  select n.failures, case when n.failures < $3 then ${NEVER}
      else now() + make_interval(secs => least($4, $6 * power(2, least(n.failures - $3, 20)))) end, now()
  from (select case when f.last_at < now() - make_interval(hours => $5) then 1 else f.failures + 1 end as failures) n)
where f.locked_until <= now()
returning failures, coalesce(succeeded_at > now() - make_interval(days => ${KNOWN_ADDRESS_DAYS}), false) as is_known`;

const SECONDS_LEFT = `
select extract(epoch from locked_until - now())::float8 as seconds from login_failure
where account_hash = $1 and address_hash = $2 and locked_until > now()`;

const SUCCEED_HERE = `
update login_failure set failures = 0, locked_until = ${NEVER}, last_at = now(), succeeded_at = now()
where account_hash = $1 and address_hash = $2`;

interface Counted {
  failures: number;
  is_known: boolean;
}

/**
 * Slows down password guessing. After several consecutive failures an IP address must wait before it tries that account
 * again, longer each time. If many addresses have reached their limit, all addresses must wait, except addresses with
 * an earlier login to the account. Attackers can therefore never lock the owner out at a known address. Accounts that
 * do not exist behave the same.
 */
export class LoginLocks {
  /** @param failuresBeforeWait per address; 0 never locks */
  constructor(
    private readonly pool: pg.Pool,
    private readonly failuresBeforeWait: number,
  ) {}

  /**
   * Call before comparing a password. @throws Failure `too_many_requests` while this address or the account must wait
   */
  async attempt(attempt: LoginAttempt): Promise<void> {
    if (this.failuresBeforeWait === 0) return;
    const account = accountHash(attempt);
    const here = await this.#count(account, addressHash(attempt), this.failuresBeforeWait);
    if (here.is_known) return;
    // An address above its own limit does not increase the total, so it can never lock the account alone.
    if (here.failures > this.failuresBeforeWait) await this.#requireNoWait(account, EVERYWHERE);
    else await this.#count(account, EVERYWHERE, this.failuresBeforeWait * ADDRESSES_BEFORE_ACCOUNT_WAITS);
  }

  /** Call after a correct password. Clears earlier failures, for this address and in total. */
  async succeed(attempt: LoginAttempt): Promise<void> {
    if (this.failuresBeforeWait === 0) return;
    const account = accountHash(attempt);
    await this.pool.query(SUCCEED_HERE, [account, addressHash(attempt)]);
    await this.#forget(account, EVERYWHERE);
  }

  /** Call after a password reset. Clears all lockouts and known addresses. */
  async reset(email: string): Promise<void> {
    await this.#forget(accountHash({ email }));
  }

  async purge(): Promise<void> {
    await this.pool.query(
      `delete from login_failure where last_at < now() - make_interval(hours => $1)
         and (succeeded_at is null or succeeded_at < now() - make_interval(days => $2))`,
      [FORGET_AFTER_HOURS, KNOWN_ADDRESS_DAYS],
    );
  }

  /** Counts a failure. @throws Failure `too_many_requests` during a wait */
  async #count(account: Buffer, address: Buffer, failuresBeforeWait: number): Promise<Counted> {
    const { rows } = await this.pool.query<Counted>({
      name: 'login-attempt',
      text: ATTEMPT,
      values: [account, address, failuresBeforeWait, MAX_WAIT_SECONDS, FORGET_AFTER_HOURS, FIRST_WAIT_SECONDS],
    });
    if (rows[0]) return rows[0];
    await this.#requireNoWait(account, address);
    // The wait ended between the two statements.
    throw tooMany(1);
  }

  async #requireNoWait(account: Buffer, address: Buffer): Promise<void> {
    const { rows } = await this.pool.query<{ seconds: number }>(SECONDS_LEFT, [account, address]);
    if (rows[0]) throw tooMany(rows[0].seconds);
  }

  async #forget(account: Buffer, address?: Buffer): Promise<void> {
    await this.pool.query(
      'delete from login_failure where account_hash = $1 and ($2::bytea is null or address_hash = $2)',
      [account, address ?? null],
    );
  }
}

function accountHash({ email }: Pick<LoginAttempt, 'email'>): Buffer {
  return hashSecret(`login/${normalizeLoginName(email)}`);
}

/** Hashes account and address together, so that equal addresses of different accounts have different hashes. */
function addressHash({ email, address }: LoginAttempt): Buffer {
  return hashSecret(`login/${normalizeLoginName(email)}/${addressKey(address ?? '')}`);
}
