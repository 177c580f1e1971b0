import { dayNumber, seriesTypeById } from '@healthd/model';
import type { DataGaps, DateOrInstant } from '@healthd/schemas';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import { groupedBy } from '../../platform/grouped-by.js';
import { dayBounds, daysAfter, OPEN_END, OPEN_START } from '../bounds.js';
import { readArchivedBefore } from '../timeseries/prepared-read.js';

/** Consecutive days with data of one type from one provider. */
interface RunOfDaysRow {
  provider: string;
  /** A type id as text, `sleep` or `workouts`. */
  data_type: string;
  first_date: string;
  last_date: string;
  connection_status: 'active' | 'revoked' | 'expired' | null;
}

/**
 * Reads runs of days from roll-ups by primary key, and from sessions by day, so that the cost grows with days instead of
 * samples.
 * Parameters: user, first date or null, date after the last or null.
 */
const runsOfDays = statement(
  'data_gaps_runs',
  `with present as (
     select s.provider, v.type_id::text as data_type, v.local_date as day
     from day_value v join data_source s on s.user_key = $1 and s.source_id = v.source_id
     where v.user_key = $1 and ($2::date is null or v.local_date >= $2) and ($3::date is null or v.local_date < $3)
     group by s.provider, v.type_id, v.local_date
     union all
     select s.provider, 'sleep', n.wake_date
     from sleep_session n join data_source s on s.user_key = $1 and s.source_id = n.source_id
     where n.user_key = $1 and not n.is_nap
       and ($2::date is null or n.wake_date >= $2) and ($3::date is null or n.wake_date < $3)
     group by s.provider, n.wake_date
     union all
     select s.provider, 'workouts', w.local_date
     from workout w join data_source s on s.user_key = $1 and s.source_id = w.source_id
     where w.user_key = $1 and ($2::date is null or w.local_date >= $2) and ($3::date is null or w.local_date < $3)
     group by s.provider, w.local_date
   ), numbered as (
     select provider, data_type, day,
       day - row_number() over (partition by provider, data_type order by day)::int as run
     from present
   )
   select n.provider, n.data_type, min(n.day) as first_date, max(n.day) as last_date, c.status as connection_status
   from numbered n left join connection c on c.user_key = $1 and c.provider = n.provider
   group by n.provider, n.data_type, n.run, c.status
   order by n.provider, n.data_type, first_date`,
);

/** Minimum span of a data type that may count as daily. */
const SHORTEST_SPAN_DAYS = 7;
/** Number of recent days that never count as missing, because data arrives late. */
const LATENESS_DAYS = 2;
/** Minimum share of days with data. Above it, a day without data is unexpected. */
const DAILY_SHARE = 0.8;

type Item = DataGaps['items'][number];

/** Reads the days with data by provider and data type, and the missing days. */
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
  const byType = groupedBy(rows, (row) => `${row.provider} ${row.data_type}`);
  const dueDate = daysAfter(new Date(nowMs).toISOString().slice(0, 10), -LATENESS_DAYS);
  const lastDue = end && bounds.beforeDate <= dueDate ? daysAfter(bounds.beforeDate, -1) : dueDate;
  const items = [...byType.values()].flatMap((runs) => itemOf(runs, lastDue) ?? []);
  items.sort((a, b) => order(a.provider, b.provider) || order(a.data_type, b.data_type));
  return { user_id: user.id, archived_before: archivedBefore ?? null, items };
}

/**
 * Summarizes the runs of one provider and data type. Undefined without runs.
 * @param runs runs in order
 * @param lastDue day by which an active connection must have delivered
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
    missing: daily ? [...between(runs), ...(overdue > 0 ? [missingDays(last.last_date, lastDue)] : [])] : [],
  };
}

function between(runs: readonly RunOfDaysRow[]): Item['missing'] {
  return runs
    .slice(1)
    .map((run, at) => missingDays(runs[at]?.last_date ?? run.first_date, daysAfter(run.first_date, -1)));
}

/** Returns the days after `date` up to `lastDate`, inclusive. */
function missingDays(date: string, lastDate: string): Item['missing'][number] {
  return { first_date: daysAfter(date, 1), last_date: lastDate };
}

function days(first: string, last: string): number {
  return (dayNumber(last) ?? 0) - (dayNumber(first) ?? 0) + 1;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
