import { createHash } from 'node:crypto';
import { type ProviderId, SECONDS_PER_MINUTE } from '@healthd/model';
import type { RequestBudget } from '@healthd/providers';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import { type RequestPriority, reservedShare } from './request-priority.js';

/** This share of a window's quota may be used at once; the rest is spread over the window, so that no window has more. */
const BURST_SHARE = 0.1;

const AVAILABLE = `least($3::float8, b.tokens + extract(epoch from clock_timestamp() - b.updated_at)::float8 * $4::float8)`;

/** Takes one token, into debt as far as the waiting for it stays below the patience. No row when it would not. */
const take = statement(
  'request_budget_take',
  `insert into request_budget as b (provider, subject, tokens, updated_at)
   values ($1, $2, $3::float8 - 1, clock_timestamp())
   on conflict (provider, subject) do update
     set tokens = ${AVAILABLE} - 1, updated_at = clock_timestamp()
     where ${AVAILABLE} - $6::float8 >= 1 or (1 - ${AVAILABLE} + $6::float8) / $4::float8 * 1000 < $5::float8
   returning tokens`,
);

const look = statement(
  'request_budget_look',
  `select ${AVAILABLE} - 1 as tokens from request_budget b where provider = $1 and subject = $2`,
);

/** Where the subject of a person's budget begins; the rest is a hash, so that no vendor's id of a person is kept. */
const PERSON = 'person ';
const APPLICATION = 'application';

/** So many requests in so many seconds. */
export interface QuotaWindow {
  requests: number;
  seconds: number;
}

/** Token buckets in Postgres, which all processes share; the database's clock alone counts. */
export class RequestBudgets {
  constructor(private readonly pool: pg.Pool) {}

  /** Of one account of the vendor, by anything that stays the same for it. */
  person(provider: ProviderId, account: string, perMinute: number): RequestBudget {
    const hash = createHash('sha256').update(account).digest('base64url');
    return this.bucket(provider, `${PERSON}${hash}`, { requests: perMinute, seconds: SECONDS_PER_MINUTE });
  }

  /** Of all people together. */
  application(provider: ProviderId, window: QuotaWindow, priority: RequestPriority): RequestBudget {
    return this.bucket(provider, subjectOf(window.seconds), window, reservedShare(priority));
  }

  /** The vendor says that less is left of a window of the application than was thought. */
  async lower(provider: ProviderId, { requests, seconds }: QuotaWindow): Promise<void> {
    await this.pool.query(
      `update request_budget set tokens = $3, updated_at = clock_timestamp()
        where provider = $1 and subject = $2 and tokens > $3`,
      [provider, subjectOf(seconds), requests],
    );
  }

  /** Deletes buckets that have long been full again. Returns how many. */
  async purge(): Promise<number> {
    const { rowCount } = await this.pool.query(
      `delete from request_budget where updated_at < now() - interval '1 day'`,
    );
    return rowCount ?? 0;
  }

  private bucket(
    provider: ProviderId,
    subject: string,
    { requests, seconds }: QuotaWindow,
    reservedShare = 0,
  ): RequestBudget {
    const capacity = burstOf(requests);
    const perSecond = Math.max(1, requests - capacity) / seconds;
    // One request fits beside what is reserved, however small the quota is.
    const reserved = reservedShare * (capacity - 1);
    const waitMs = (tokens: number) => (tokens < reserved ? Math.ceil(((reserved - tokens) / perSecond) * 1000) : 0);
    return {
      take: async (patienceMs) => {
        const values = [provider, subject, capacity, perSecond];
        const taken = await this.pool.query<{ tokens: number }>(take([...values, patienceMs, reserved]));
        if (taken.rows[0]) return waitMs(taken.rows[0].tokens);
        // Some time has passed since it was refused; what was not taken is never said to be free.
        const now = await this.pool.query<{ tokens: number }>(look(values));
        return Math.max(1, Math.ceil(patienceMs), waitMs(now.rows[0]?.tokens ?? 0));
      },
    };
  }
}

/** Requests of a quota that may be sent at once. */
export function burstOf(requests: number): number {
  return Math.max(1, Math.floor(requests * BURST_SHARE));
}

/** The minute's has the name that it always had. */
function subjectOf(seconds: number): string {
  return seconds === SECONDS_PER_MINUTE ? APPLICATION : `${APPLICATION} ${seconds}`;
}
