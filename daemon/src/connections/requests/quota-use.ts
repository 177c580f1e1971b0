import { type ProviderId, SECONDS_PER_DAY } from '@healthd/model';
import type { VendorQuotas } from '@healthd/providers';
import type pg from 'pg';
import { burstOf, perSecondOf, type QuotaWindow, requestsPerDay, windowsOf } from './quota-windows.js';
import { subjectOf } from './request-budget.js';
import { REQUEST_PRIORITIES, type RequestPriority } from './request-priority.js';

/** Use of one window. */
interface WindowUse {
  seconds: number;
  /** The service's own limit per window, which is below the vendor's. */
  limit: number;
  /** Requests sent within the last window. */
  spent: number;
  left: number;
  /** Time at which the whole burst is available again; undefined if it is available now. */
  refilledAt: Date | undefined;
}

/** Use of an application's quota at a vendor. */
export interface QuotaUse {
  windows: WindowUse[];
  requestsLastDay: number;
  activeConnections: number;
  /** Undefined without requests or without connected users. */
  requestsPerUserAndDay: number | undefined;
  /** Number of users that the quota can serve at the current requests per user. */
  usersServed: number | undefined;
  /** Number of runs that wait for the quota. */
  waiting: Record<RequestPriority, number>;
}

interface BudgetRow {
  subject: string;
  tokens: number;
  updated_at: Date;
  window_no: number;
  spent: number;
  spent_before: number;
}

/**
 * Reads the use of a provider's quota.
 * @param now default: the database's current time
 */
export async function readQuotaUse(
  pool: pg.Pool,
  provider: ProviderId,
  quotas: VendorQuotas,
  now?: Date,
): Promise<QuotaUse> {
  const windows = windowsOf(quotas);
  const { rows } = await pool.query<BudgetRow & { now: Date }>(
    `select subject, tokens, updated_at, window_no::float8, spent::float8, spent_before::float8, now() as now
       from request_budget where provider = $1 and subject = any ($2::text[])`,
    [provider, windows.map(({ seconds }) => subjectOf(seconds))],
  );
  const nowMs = (now ?? rows[0]?.now ?? new Date()).getTime();
  const spentOf = (window: QuotaWindow) => {
    const row = rows.find(({ subject }) => subject === subjectOf(window.seconds));
    return row ? spentIn(row, window.seconds, nowMs) : 0;
  };
  const activeConnections = await countActive(pool, provider);
  const requestsLastDay = spentOf({ seconds: SECONDS_PER_DAY, requests: undefined });
  const requestsPerUserAndDay =
    activeConnections > 0 && requestsLastDay > 0 ? requestsLastDay / activeConnections : undefined;
  return {
    windows: windows.flatMap((window) => {
      if (window.requests === undefined) return [];
      const row = rows.find(({ subject }) => subject === subjectOf(window.seconds));
      const spent = spentOf(window);
      return {
        seconds: window.seconds,
        limit: window.requests,
        spent,
        left: Math.max(0, window.requests - spent),
        refilledAt: row && refilledAt(row, window, nowMs),
      };
    }),
    requestsLastDay,
    activeConnections,
    requestsPerUserAndDay,
    usersServed:
      requestsPerUserAndDay === undefined
        ? undefined
        : Math.floor(requestsPerDay(quotas, activeConnections) / requestsPerUserAndDay),
    waiting: await countWaiting(pool, provider),
  };
}

/**
 * Returns the requests in a sliding window: the current window's requests plus the share of the previous window's
 * requests that the sliding window still covers.
 */
function spentIn({ window_no: no, spent, spent_before: before }: BudgetRow, seconds: number, nowMs: number): number {
  const at = nowMs / 1000 / seconds;
  const current = Math.floor(at);
  const shareLeft = 1 - (at - current);
  if (no === current) return Math.round(spent + before * shareLeft);
  return no === current - 1 ? Math.round(spent * shareLeft) : 0;
}

function refilledAt({ tokens, updated_at: updatedAt }: BudgetRow, window: QuotaWindow, nowMs: number) {
  const aheadMs = updatedAt.getTime() - nowMs;
  // Same rule as in request-budget.ts: a time that is ahead by more than the window was written by a clock that was
  // ahead.
  const fromMs = aheadMs > window.seconds * 1000 ? nowMs : updatedAt.getTime();
  const fullMs = fromMs + (Math.max(0, burstOf(window) - tokens) / perSecondOf(window)) * 1000;
  return fullMs > nowMs ? new Date(fullMs) : undefined;
}

/** Counts connections whose vendor can be queried. */
export async function countActive(pool: pg.Pool, provider: ProviderId): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from connection
      where provider = $1 and status = 'active' and (access_token is not null or refresh_token is not null)`,
    [provider],
  );
  return rows[0]?.count ?? 0;
}

async function countWaiting(pool: pg.Pool, provider: ProviderId): Promise<Record<RequestPriority, number>> {
  const { rows } = await pool.query<{ waits_as: RequestPriority; count: number }>(
    `select p.waits_as, count(*)::int as count from pull_run p join connection c on c.id = p.connection_id
      where c.provider = $1 and p.waits_as is not null group by p.waits_as`,
    [provider],
  );
  const counted = new Map(rows.map(({ waits_as: priority, count }) => [priority, count]));
  const entries = REQUEST_PRIORITIES.map((priority) => [priority, counted.get(priority) ?? 0]);
  return Object.fromEntries(entries) as Record<RequestPriority, number>;
}
