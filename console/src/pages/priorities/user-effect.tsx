import type { UserPrioritiesPreview } from '@healthd/schemas';
import { Link } from 'react-router';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { TableCard } from '../../components/table-card.js';
import { formatCount, formatKilometers, formatMinutes, formatPercent, sourceName, userName } from '../../format.js';
import { PREVIEWED_DAYS, type Ranked, useUserPrioritiesPreview } from '../../hooks/use-priorities.js';
import { useUser } from '../../hooks/use-users.js';
import { bodyFigures } from '../user/health/body-figures.js';

interface UserEffectProps {
  userId: string;
  ranked: Ranked;
  order: readonly string[];
}

interface ChangedRow {
  source: Parameters<typeof sourceName>[0];
}

/** A summary's row on one date. `before` or `after` is null if a sleep moves from or to another date. */
interface Changed<Row> {
  date: string;
  before: Row | null;
  after: Row | null;
}
/** A title, with a leading `#` for numbers, and the figure of a row as text. */
type FigureColumn<Row> = readonly [title: string, figure: (row: Row | null) => string];
type RowOf<Kind extends 'days' | 'nights' | 'recoveries'> = NonNullable<UserPrioritiesPreview[Kind][number]['before']>;

const DAY_COLUMNS: readonly FigureColumn<RowOf<'days'>>[] = [
  ['#Steps', (row) => formatCount(row?.steps)],
  ['#Distance km', (row) => formatKilometers(row?.distance_meters)],
  ['#Active kcal', (row) => formatCount(row?.active_calories_kcal)],
  ['#Heart rate avg bpm', (row) => formatCount(row?.heart_rate?.avg_bpm)],
];
const NIGHT_COLUMNS: readonly FigureColumn<RowOf<'nights'>>[] = [
  ['#Asleep', (row) => formatMinutes(row?.duration_minutes)],
  ['#Deep', (row) => formatMinutes(row?.stages?.deep_minutes)],
  ['#REM', (row) => formatMinutes(row?.stages?.rem_minutes)],
];
const RECOVERY_COLUMNS: readonly FigureColumn<RowOf<'recoveries'>>[] = [
  ['#Resting heart rate bpm', (row) => formatCount(row?.resting_heart_rate_bpm)],
  ['#HRV (SDNN) ms', (row) => formatCount(row?.avg_hrv_sdnn_ms)],
  ['#HRV (RMSSD) ms', (row) => formatCount(row?.avg_hrv_rmssd_ms)],
  ['#Oxygen saturation', (row) => formatPercent(row?.avg_spo2_percent)],
  ['#Score', (row) => formatCount(row?.recovery_score)],
];

/** Figures of a user's summaries before and after the new order, if they change. The preview stores nothing. */
export function UserEffect({ userId, ranked, order }: UserEffectProps) {
  const user = useUser(userId);
  const preview = useUserPrioritiesPreview(userId, ranked, order);
  if (preview.error) return <Problem error={preview.error} retry={preview.refetch} />;
  if (!preview.data) return <Loading />;
  const { days, nights, recoveries, body, days_compared, nights_compared, recoveries_compared } = preview.data;
  const name = user.data ? userName(user.data) : `User ${userId.slice(0, 8)}`;
  return (
    <>
      <p aria-live="polite">
        <b>{name}</b>, last {PREVIEWED_DAYS} days: {formatCount(days.length)} of {formatCount(days_compared)} days,{' '}
        {formatCount(nights.length)} of {formatCount(nights_compared)} nights and {formatCount(recoveries.length)} of{' '}
        {formatCount(recoveries_compared)} recovery dates change. The body summary{' '}
        {body ? 'changes' : 'does not change'}.
      </p>
      <ChangedDates
        name={`Changed days of ${name}`}
        first="Day"
        columns={DAY_COLUMNS}
        changes={days}
        pageOf={(date) => `/users/${userId}/activity/${date}`}
      />
      <ChangedDates name={`Changed nights of ${name}`} first="Woke on" columns={NIGHT_COLUMNS} changes={nights} />
      <ChangedDates
        name={`Changed recovery of ${name}`}
        first="Woke on"
        columns={RECOVERY_COLUMNS}
        changes={recoveries}
      />
      {body && <ChangedBody name={`Changed body of ${name}`} {...body} />}
    </>
  );
}

interface ChangedDatesProps<Row> {
  name: string;
  /** Title of the date. */
  first: string;
  columns: readonly FigureColumn<Row>[];
  changes: readonly Changed<Row>[];
  /** Path that the date links to. */
  pageOf?: (date: string) => string;
}

/** Table of changed dates, newest first; empty without changes. */
function ChangedDates<Row extends ChangedRow>({ name, first, columns, changes, pageOf }: ChangedDatesProps<Row>) {
  if (changes.length === 0) return null;
  return (
    <TableCard name={name} columns={[first, ...columns.map(([title]) => title), 'Source']}>
      {changes.toReversed().map(({ date, before, after }) => (
        <tr key={date}>
          <td className="date">{pageOf ? <Link to={pageOf(date)}>{date}</Link> : date}</td>
          {columns.map(([title, figure]) => (
            <Change key={title} isNumber before={figure(before)} after={figure(after)} />
          ))}
          <Change before={sourceOf(before)} after={sourceOf(after)} />
        </tr>
      ))}
    </TableCard>
  );
}

/** Table of the body's figures that change their value or source. */
function ChangedBody({ name, before, after }: { name: string } & NonNullable<UserPrioritiesPreview['body']>) {
  const earlier = new Map((before ? bodyFigures(before) : []).map((figure) => [figure[0], figure]));
  const later = new Map((after ? bodyFigures(after) : []).map((figure) => [figure[0], figure]));
  const rows = [...new Set([...earlier.keys(), ...later.keys()])].map((title) => {
    const of = (figures: typeof earlier, body: typeof before) => {
      const [, value = '–', group] = figures.get(title) ?? [];
      const source = group && body?.sources[group];
      return { value, source: source ? sourceName(source) : '–' };
    };
    return { title, old: of(earlier, before), now: of(later, after) };
  });
  const changed = rows.filter(({ old, now }) => old.value !== now.value || old.source !== now.source);
  if (changed.length === 0) return null;
  return (
    <TableCard name={name} columns={['Figure', '#Value', 'Source']}>
      {changed.map(({ title, old, now }) => (
        <tr key={title}>
          <td>{title}</td>
          <Change isNumber before={old.value} after={now.value} />
          <Change before={old.source} after={now.source} />
        </tr>
      ))}
    </TableCard>
  );
}

/** Returns the source's name, or a dash for a night that moves to another date. */
function sourceOf(row: ChangedRow | null): string {
  return row ? sourceName(row.source) : '–';
}

/** Formats `7,200 → 9,104`, or one value if both are equal. */
function Change({ before, after, isNumber = false }: { before: string; after: string; isNumber?: boolean }) {
  return (
    <td className={isNumber ? 'number' : 'nobreak'}>
      {before === after ? (
        <span className="muted">{before}</span>
      ) : (
        <>
          <span className="muted">{before} →</span> <b>{after}</b>
        </>
      )}
    </td>
  );
}
