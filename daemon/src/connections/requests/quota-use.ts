import { type ProviderId, SECONDS_PER_DAY } from '@healthd/model';
import type { VendorQuotas } from '@healthd/providers';
import type pg from 'pg';
import { burstOf, perSecondOf, type QuotaWindow, requestsPerDay, windowsOf } from './quota-windows.js';
import { subjectOf } from './request-budget.js';
import { REQUEST_PRIORITIES, type RequestPriority } from './request-priority.js';

/** How much of one window is used. */
interface WindowUse {
  seconds: number;
  /** Requests in the window that the service keeps to, which is less than the vendor allows. */
  limit: number;
  /** Requests sent in the last seconds, as many as the window has. */
  spent: number;
  left: number;
  /** When the whole burst is available again; undefined: now. */
  refilledAt: Date | undefined;
}

/** What the quota of one application at a vendor is used for. */
export interface QuotaUse {
  windows: WindowUse[];
  requestsLastDay: number;
  activeConnections: number;
  /** Undefined while nothing was requested or no one is connected. */
  requestsPerUserAndDay: number | undefined;
  /** Users for whom the quota is enough at that use. */
  usersServed: number | undefined;
  /** Runs that wait for the quota. */
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

/** Reads how the quota of a provider's application is used, as of a moment of the database's clock. */
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

/** Requests in a sliding window: those of the present window, and the share of the previous one that is not over. */
function spentIn({ window_no: no, spent, spent_before: before }: BudgetRow, seconds: number, nowMs: number): number {
  const at = nowMs / 1000 / seconds;
  const current = Math.floor(at);
  const shareLeft = 1 - (at - current);
  if (no === current) return Math.round(spent + before * shareLeft);
  return no === current - 1 ? Math.round(spent * shareLeft) : 0;
}

function refilledAt({ tokens, updated_at: updatedAt }: BudgetRow, window: QuotaWindow, nowMs: number) {
  const aheadMs = updatedAt.getTime() - nowMs;
  // As in request-budget.ts: a time beyond the window comes from a clock that was ahead.
  const fromMs = aheadMs > window.seconds * 1000 ? nowMs : updatedAt.getTime();
  const fullMs = fromMs + (Math.max(0, burstOf(window) - tokens) / perSecondOf(window)) * 1000;
  return fullMs > nowMs ? new Date(fullMs) : undefined;
}

/** Connections whose vendor can be asked. */
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
