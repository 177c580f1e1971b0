import { createHash } from 'node:crypto';
import type { ProviderId } from '@healthd/model';
import type { RequestBudget } from '@healthd/providers';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';

/** This share of a minute's quota may be used at once; the rest is spread over the minute, so that no minute has more. */
const BURST_SHARE = 0.1;

const AVAILABLE = `least($3::float8, b.tokens + extract(epoch from clock_timestamp() - b.updated_at)::float8 * $4::float8)`;

/** Takes one token, into debt as far as the waiting for it stays below the patience. No row when it would not. */
const take = statement(
  'request_budget_take',
  `insert into request_budget as b (provider, subject, tokens, updated_at)
   values ($1, $2, $3::float8 - 1, clock_timestamp())
   on conflict (provider, subject) do update
     set tokens = ${AVAILABLE} - 1, updated_at = clock_timestamp()
     where ${AVAILABLE} >= 1 or (1 - ${AVAILABLE}) / $4::float8 * 1000 < $5::float8
   returning tokens`,
);

const look = statement(
  'request_budget_look',
  `select ${AVAILABLE} - 1 as tokens from request_budget b where provider = $1 and subject = $2`,
);

/** Where the subject of a person's budget begins; the rest is a hash, so that no vendor's id of a person is kept. */
const PERSON = 'person ';
const APPLICATION = 'application';

/** Token buckets in Postgres, which all processes share; the database's clock alone counts. */
export class RequestBudgets {
  constructor(private readonly pool: pg.Pool) {}

  /** Of one account of the vendor, by anything that stays the same for it. */
  person(provider: ProviderId, account: string, perMinute: number): RequestBudget {
    const hash = createHash('sha256').update(account).digest('base64url');
    return this.bucket(provider, `${PERSON}${hash}`, perMinute);
  }

  application(provider: ProviderId, perMinute: number): RequestBudget {
    return this.bucket(provider, APPLICATION, perMinute);
  }

  /** Deletes buckets that have long been full again. Returns how many. */
  async purge(): Promise<number> {
    const { rowCount } = await this.pool.query(
      `delete from request_budget where updated_at < now() - interval '1 hour'`,
    );
    return rowCount ?? 0;
  }

  private bucket(provider: ProviderId, subject: string, perMinute: number): RequestBudget {
    const capacity = Math.max(1, Math.floor(perMinute * BURST_SHARE));
    const perSecond = Math.max(1, perMinute - capacity) / 60;
    return {
      take: async (patienceMs) => {
        const values = [provider, subject, capacity, perSecond];
        const waitMs = (tokens: number) => (tokens < 0 ? Math.ceil((-tokens / perSecond) * 1000) : 0);
        const taken = await this.pool.query<{ tokens: number }>(take([...values, patienceMs]));
        if (taken.rows[0]) return waitMs(taken.rows[0].tokens);
        // Some time has passed since it was refused; what was not taken is never said to be free.
        const now = await this.pool.query<{ tokens: number }>(look(values));
        return Math.max(1, Math.ceil(patienceMs), waitMs(now.rows[0]?.tokens ?? 0));
      },
    };
  }
}
