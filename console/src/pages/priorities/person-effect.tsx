import type { UserPrioritiesPreview } from '@healthd/schemas';
import { Link } from 'react-router';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { TableCard } from '../../components/table-card.js';
import { formatCount, formatKilometers, formatMinutes, sourceName, userName } from '../../format.js';
import { PREVIEWED_DAYS, type Ranked, useUserPrioritiesPreview } from '../../hooks/use-priorities.js';
import { useUser } from '../../hooks/use-users.js';

interface PersonEffectProps {
  userId: string;
  ranked: Ranked;
  order: readonly string[];
}

type ChangedDay = UserPrioritiesPreview['days'][number];
type ChangedNight = UserPrioritiesPreview['nights'][number];

const DAY_COLUMNS = ['Day', '#Steps', '#Distance km', '#Active kcal', '#Heart rate avg bpm', 'Source'];
const NIGHT_COLUMNS = ['Woke on', '#Asleep', '#Deep', '#REM', 'Source'];

/** Figures of a user's changed days and nights before and after the new order. The preview stores nothing. */
export function PersonEffect({ userId, ranked, order }: PersonEffectProps) {
  const user = useUser(userId);
  const preview = useUserPrioritiesPreview(userId, ranked, order);
  if (preview.error) return <Problem error={preview.error} retry={preview.refetch} />;
  if (!preview.data) return <Loading />;
  const { days, nights, days_compared, nights_compared } = preview.data;
  const name = user.data ? userName(user.data) : `User ${userId.slice(0, 8)}`;
  return (
    <>
      <p aria-live="polite">
        <b>{name}</b>, last {PREVIEWED_DAYS} days: {formatCount(days.length)} of {formatCount(days_compared)} days and{' '}
        {formatCount(nights.length)} of {formatCount(nights_compared)} nights change.
      </p>
      {days.length > 0 && (
        <TableCard name={`Changed days of ${name}`} columns={DAY_COLUMNS}>
          {days.toReversed().map((day) => (
            <DayRow key={day.date} userId={userId} day={day} />
          ))}
        </TableCard>
      )}
      {nights.length > 0 && (
        <TableCard name={`Changed nights of ${name}`} columns={NIGHT_COLUMNS}>
          {nights.toReversed().map((night) => (
            <NightRow key={night.date} night={night} />
          ))}
        </TableCard>
      )}
    </>
  );
}

function DayRow({ userId, day: { date, before, after } }: { userId: string; day: ChangedDay }) {
  return (
    <tr>
      <td className="date">
        <Link to={`/users/${userId}/activity/${date}`}>{date}</Link>
      </td>
      <Figure before={formatCount(before?.steps)} after={formatCount(after?.steps)} />
      <Figure before={formatKilometers(before?.distance_meters)} after={formatKilometers(after?.distance_meters)} />
      <Figure before={formatCount(before?.active_calories_kcal)} after={formatCount(after?.active_calories_kcal)} />
      <Figure before={formatCount(before?.heart_rate?.avg_bpm)} after={formatCount(after?.heart_rate?.avg_bpm)} />
      <Words before={sourceOf(before)} after={sourceOf(after)} />
    </tr>
  );
}

function NightRow({ night: { date, before, after } }: { night: ChangedNight }) {
  const stages = [before?.stages, after?.stages] as const;
  return (
    <tr>
      <td className="date">{date}</td>
      <Figure before={formatMinutes(before?.duration_minutes)} after={formatMinutes(after?.duration_minutes)} />
      <Figure before={formatMinutes(stages[0]?.deep_minutes)} after={formatMinutes(stages[1]?.deep_minutes)} />
      <Figure before={formatMinutes(stages[0]?.rem_minutes)} after={formatMinutes(stages[1]?.rem_minutes)} />
      <Words before={sourceOf(before)} after={sourceOf(after)} />
    </tr>
  );
}

/** Dash for a night that moves to another date. */
function sourceOf(row: ChangedDay['before'] | ChangedNight['before']): string {
  return row ? sourceName(row.source) : '–';
}

interface ChangeProps {
  before: string;
  after: string;
}

function Figure(change: ChangeProps) {
  return (
    <td className="number">
      <Change {...change} />
    </td>
  );
}

function Words(change: ChangeProps) {
  return (
    <td className="nobreak">
      <Change {...change} />
    </td>
  );
}

/** Formats `7,200 → 9,104`, or one value if both are equal. */
function Change({ before, after }: ChangeProps) {
  if (before === after) return <span className="muted">{before}</span>;
  return (
    <>
      <span className="muted">{before} →</span> <b>{after}</b>
    </>
  );
}
