import { createHash } from 'node:crypto';
import { MS_PER_SECOND, type ProviderId, SECONDS_PER_MINUTE } from '@healthd/model';
import type { BudgetResponse, RemainingRequests, RequestBudget } from '@healthd/providers';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import { burstOf, perSecondOf, type QuotaWindow, reservedOf } from './quota-windows.js';
import { type RequestPriority, reservedShare } from './request-priority.js';

/** Clock for tests and benchmarks; if unset, the database's clock, which all processes share. */
const NOW = (parameter: string) => `coalesce(${parameter}::timestamptz, clock_timestamp())`;

/**
 * The time up to which a bucket is refilled. A time that is ahead by more than the bucket's window was written by a
 * clock that was ahead, because no vendor announces a later time. Such a time counts as now.
 */
const REFILLED_AT = (updatedAt: string, at: string, seconds: string) =>
  `case when ${updatedAt} > ${at} + make_interval(secs => ${seconds}) then ${at} else ${updatedAt} end`;

/** Seconds from one time to another. */
const SECONDS = (from: string, to: string) => `extract(epoch from ${to} - ${from})::float8`;

/**
 * Takes one token from every bucket, or no tokens at all. Allows debt while the longest wait is below the caller's
 * maximum wait. Locks the rows in the order of their subjects. `updated_at` may be in the future: until then the vendor
 * refills nothing.
 */
const take = statement(
  'request_budget_take',
  `with wanted as (
     select * from unnest($2::text[], $3::float8[], $4::float8[], $5::float8[], $6::float8[])
       as w (subject, capacity, per_second, reserved, seconds)
   ), held as materialized (
     select b.subject, b.tokens, b.updated_at from request_budget b
      where b.provider = $1 and b.subject = any ($2::text[]) order by b.subject for update
   ), clock as materialized (
     -- Counts first, so that the clock is read after the rows are locked.
     select (select count(*) from held) as rows, ${NOW('$8')} as at
   ), counted as (
     select w.*, h.tokens, c.at, h.updated_at as stored_at, ${REFILLED_AT('h.updated_at', 'c.at', 'w.seconds')} as updated_at
       from wanted w join held h using (subject) cross join clock c
   ), state as (
     select c.*, greatest(c.updated_at, c.at) as from_at, floor(extract(epoch from c.at) / c.seconds)::bigint as no,
            least(c.capacity, c.tokens + greatest(0, ${SECONDS('c.updated_at', 'c.at')}) * c.per_second) as available,
            greatest(0, ${SECONDS('c.at', 'c.updated_at')}) as held_seconds
       from counted c
   ), wait as (
     select subject, case when available - 1 >= reserved then 0
                     else ceil((held_seconds + (1 + reserved - available) / per_second) * 1000) end::float8 as ms
       from state
   ), verdict as (
     select count(*)::int as rows, max(ms) as wait_ms, (array_agg(subject order by ms desc))[1] as slowest,
            case when max(ms) = 0 or max(ms) < $7::float8 then 1 else 0 end as granted
       from wait
   ), taken as (
     update request_budget b
        set tokens = s.available - v.granted, updated_at = s.from_at, window_no = s.no,
            spent = case when b.window_no = s.no then b.spent else 0 end + v.granted,
            spent_before = case when b.window_no = s.no then b.spent_before
                                when b.window_no = s.no - 1 then b.spent else 0 end
       from state s, verdict v
      where b.provider = $1 and b.subject = s.subject
        -- A request that must wait also corrects a time from a clock that was ahead. Otherwise nothing would refill.
        and v.rows = cardinality($2::text[]) and (v.granted = 1 or s.stored_at <> s.updated_at)
     returning 1
   )
   select rows, wait_ms, slowest from verdict, (select count(*) from taken) done`,
);

/** Creates missing buckets, which start full. */
const fill = statement(
  'request_budget_fill',
  `insert into request_budget (provider, subject, tokens, updated_at)
   select $1, subject, capacity, ${NOW('$4')} from unnest($2::text[], $3::float8[]) as w (subject, capacity)
    order by subject on conflict do nothing`,
);

/** Prefix of the subject of a user's budget. The rest of the subject is a hash, so that no vendor user ID is stored. */
const USER_PREFIX = 'person ';
const APPLICATION = 'application';

/** One row of the table: a window of a user or of the application. */
interface Bucket extends QuotaWindow {
  subject: string;
  /** Share that these requests must not use. */
  reservedShare: number;
}

/** Token buckets in Postgres, shared by all processes. */
export class RequestBudgets {
  constructor(
    private readonly pool: pg.Pool,
    private readonly clock: () => Date | null = () => null,
  ) {}

  /** Returns the budget of one vendor account, which any stable text may identify. */
  user(provider: ProviderId, account: string, perMinute: number): RequestBudget {
    return this.of(provider, [userBucket(account, perMinute)]);
  }

  /** Returns the budget of all users together: every window must have a token, or the request waits. */
  application(provider: ProviderId, windows: readonly QuotaWindow[], priority: RequestPriority): RequestBudget {
    return this.of(provider, applicationBuckets(windows, priority));
  }

  /** Returns the budget of one account and of all users together, charged atomically. */
  both(
    provider: ProviderId,
    user: { account: string; perMinute: number },
    windows: readonly QuotaWindow[],
    priority: RequestPriority,
  ): RequestBudget {
    const buckets = [userBucket(user.account, user.perMinute), ...applicationBuckets(windows, priority)];
    return this.of(provider, buckets);
  }

  /** Applies a lower remaining count of an application window, as reported by the vendor, and its reset time. */
  async lower(provider: ProviderId, { requests, seconds, resetSeconds = 0 }: RemainingRequests): Promise<void> {
    await this.pool.query(
      `update request_budget
          set tokens = least(tokens, $3),
              updated_at = greatest(${REFILLED_AT('updated_at', NOW('$5'), '$6')},
                                    ${NOW('$5')} + make_interval(secs => $4))
        where provider = $1 and subject = $2`,
      [provider, subjectOf(seconds), requests, resetSeconds, this.clock(), seconds],
    );
  }

  /** Deletes buckets that refilled long ago and buckets whose time is implausibly far ahead. Returns their number. */
  async purge(): Promise<number> {
    const { rowCount } = await this.pool.query(
      `delete from request_budget
        where updated_at < now() - interval '2 days' or updated_at > now() + interval '8 days'`,
    );
    return rowCount ?? 0;
  }

  private of(provider: ProviderId, buckets: readonly Bucket[]): RequestBudget {
    const subjects = buckets.map(({ subject }) => subject);
    const capacities = buckets.map(burstOf);
    const values = [
      provider,
      subjects,
      capacities,
      buckets.map(perSecondOf),
      buckets.map((bucket) => reservedOf(bucket, bucket.reservedShare)),
      buckets.map(({ seconds }) => seconds),
    ];
    return {
      take: async (patienceMs) => {
        for (;;) {
          const query = take([...values, patienceMs, this.clock()]);
          const { rows } = await this.pool.query<{ rows: number; wait_ms: number | null; slowest: string }>(query);
          const verdict = rows[0];
          if (verdict?.rows === buckets.length) return budgetResponse(buckets, verdict.wait_ms ?? 0, verdict.slowest);
          await this.pool.query(fill([provider, subjects, capacities, this.clock()]));
        }
      },
    };
  }
}

/** Returns the outcome of a charge. A user's window delays only that user, so its pace is not returned. */
function budgetResponse(buckets: readonly Bucket[], waitMs: number, slowest: string): BudgetResponse {
  const window = buckets.find(({ subject }) => subject === slowest && !subject.startsWith(USER_PREFIX));
  if (waitMs === 0 || !window) return { waitMs };
  return { waitMs, perRequestMs: MS_PER_SECOND / perSecondOf(window) };
}

function userBucket(account: string, perMinute: number): Bucket {
  const hash = createHash('sha256').update(account).digest('base64url');
  return { subject: `${USER_PREFIX}${hash}`, requests: perMinute, seconds: SECONDS_PER_MINUTE, reservedShare: 0 };
}

function applicationBuckets(windows: readonly QuotaWindow[], priority: RequestPriority): Bucket[] {
  return windows.map((window) => ({
    ...window,
    subject: subjectOf(window.seconds),
    reservedShare: window.requests === undefined ? 0 : reservedShare(priority),
  }));
}

/** Returns the row name of an application window. The minute window keeps its original name. */
export function subjectOf(seconds: number): string {
  return seconds === SECONDS_PER_MINUTE ? APPLICATION : `${APPLICATION} ${seconds}`;
}
