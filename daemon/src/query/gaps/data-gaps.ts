import { dayNumber, fromDayNumber, seriesTypeById } from '@healthd/model';
import type { DataGaps, DateOrInstant } from '@healthd/schemas';
import type pg from 'pg';
import { dayBounds, OPEN_END, OPEN_START } from '../bounds.js';
import { readArchivedBefore } from '../timeseries/archived-days.js';
import { type RunOfDaysRow, runsOfDays } from './data-gaps.sql.js';

/** A type of which less is known than this is not called daily. */
const SHORTEST_SPAN_DAYS = 7;
/** In the last days, this many, nothing is missing yet: data arrive late. */
const LATENESS_DAYS = 2;
/** Part of the days that must have data before a day without is unexpected. */
const DAILY_SHARE = 0.8;

type Item = DataGaps['items'][number];

/** What came from whom on which days, and what should have come. */
export async function readDataGaps(
  pool: pg.Pool,
  user: { id: string; userKey: number },
  { start, end, nowMs = Date.now() }: { start?: DateOrInstant; end?: DateOrInstant; nowMs?: number },
): Promise<DataGaps> {
  const bounds = dayBounds({ start: start ?? OPEN_START, end: end ?? OPEN_END, endName: 'end_date' });
  const [{ rows }, archivedBefore] = await Promise.all([
    pool.query<RunOfDaysRow>(
      runsOfDays([user.userKey, start ? bounds.fromDate : null, end ? bounds.beforeDate : null]),
    ),
    readArchivedBefore(pool, user.userKey),
  ]);
  const byType = new Map<string, RunOfDaysRow[]>();
  for (const row of rows) {
    const key = `${row.provider} ${row.data_type}`;
    const runs = byType.get(key);
    if (runs) runs.push(row);
    else byType.set(key, [row]);
  }
  const dueDate = shifted(new Date(nowMs).toISOString().slice(0, 10), -LATENESS_DAYS);
  const lastDue = end && bounds.beforeDate <= dueDate ? shifted(bounds.beforeDate, -1) : dueDate;
  const items = [...byType.values()].flatMap((runs) => itemOf(runs, lastDue) ?? []);
  items.sort((a, b) => order(a.provider, b.provider) || order(a.data_type, b.data_type));
  return { user_id: user.id, archived_before: archivedBefore ?? null, items };
}

/**
 * The runs of one provider and type, in order.
 * @param lastDue day by which a connection that stands must have delivered
 */
function itemOf(runs: readonly RunOfDaysRow[], lastDue: string): Item | undefined {
  const [first, last] = [runs[0], runs.at(-1)];
  if (!first || !last) return undefined;
  const span = days(first.first_date, last.last_date);
  const received = runs.reduce((sum, run) => sum + days(run.first_date, run.last_date), 0);
  const daily = span >= SHORTEST_SPAN_DAYS && received >= DAILY_SHARE * span;
  const overdue = daily && first.connection_status === 'active' ? Math.max(0, days(last.last_date, lastDue) - 1) : 0;
  return {
    provider: first.provider,
    connection_status: first.connection_status,
    data_type: seriesTypeById(Number(first.data_type))?.code ?? first.data_type,
    first_date: first.first_date,
    last_date: last.last_date,
    days_received: received,
    days_empty: span - received + overdue,
    delivers_daily: daily,
    days_missing: daily ? span - received + overdue : 0,
    received: runs.map(({ first_date, last_date }) => ({ first_date, last_date })),
    missing: daily ? [...between(runs), ...(overdue > 0 ? [daysAfter(last.last_date, lastDue)] : [])] : [],
  };
}

function between(runs: readonly RunOfDaysRow[]): Item['missing'] {
  return runs.slice(1).map((run, at) => daysAfter(runs[at]?.last_date ?? run.first_date, shifted(run.first_date, -1)));
}

/** The days after one, to another. */
function daysAfter(date: string, lastDate: string): Item['missing'][number] {
  return { first_date: shifted(date, 1), last_date: lastDate };
}

function days(first: string, last: string): number {
  return (dayNumber(last) ?? 0) - (dayNumber(first) ?? 0) + 1;
}

function shifted(date: string, by: number): string {
  return fromDayNumber((dayNumber(date) ?? 0) + by);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
