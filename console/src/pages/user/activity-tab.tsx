import { getActivitySummary } from '@healthd/contract';
import type { ActivitySummary } from '@healthd/schemas';
import { Link } from 'react-router';
import { AttributionLine } from '../../components/attribution.js';
import { Commands } from '../../components/commands.js';
import { DayBars } from '../../components/day-bars.js';
import { Loading } from '../../components/loading.js';
import { PeriodChooser } from '../../components/period-chooser.js';
import { Problem } from '../../components/problem.js';
import { SourceCell } from '../../components/source-cell.js';
import { TableCard } from '../../components/table-card.js';
import { FigureCell, isWithheld, WithheldHint } from '../../components/withheld.js';
import { formatCount, formatKilometers, formatMinutes, formatRange } from '../../format.js';
import { useActivity } from '../../hooks/use-data.js';
import { type Period, periodBounds, periodDates, usePeriod } from '../../period.js';
import { NothingInPeriod } from './nothing-in-period.js';

const COLUMNS = [
  'Date',
  '#Steps',
  '#Distance km',
  '#Active kcal',
  '#Total kcal',
  '#Floors',
  '#Active time',
  '#Heart rate min · avg · max',
  'Source',
];

export function ActivityTab({ userId }: { userId: string }) {
  const period = usePeriod();
  const activity = useActivity(userId, period);
  return (
    <>
      <div className="row spread">
        <h2>Activity by day</h2>
        <PeriodChooser />
      </div>
      {activity.error && <Problem error={activity.error} retry={activity.refetch} />}
      {activity.isPending && <Loading />}
      {activity.data && (
        <>
          <Days days={activity.data.data} period={period} userId={userId} stale={activity.isPlaceholderData} />
          <WithheldHint providers={activity.data.metadata.withheld} />
          <AttributionLine of={activity.data.metadata.attribution} />
        </>
      )}
      <Commands
        healthctl={`healthctl data activity --user ${userId} --from ${period}d`}
        route={getActivitySummary}
        input={{ params: { user_id: userId }, query: { ...periodBounds(period), limit: 100 } }}
      />
    </>
  );
}

interface DaysProps {
  /** Newest first. */
  days: readonly ActivitySummary[];
  period: Period;
  userId: string;
  stale: boolean;
}

function Days({ days, period, userId, stale }: DaysProps) {
  if (days.length === 0) return <NothingInPeriod what="activity" userId={userId} />;
  const dates = periodDates(period, days[0]?.date);
  const steps = new Map(days.map((day) => [day.date, day.steps ?? undefined]));
  const hasWithheld = days.some((day) => isWithheld(day, 'movement'));
  const shown = new Set(dates);
  return (
    <>
      <section className="card" aria-busy={stale}>
        <header>
          <h2>Steps</h2>
          <span className="muted">days in the user’s local time zone</span>
        </header>
        <div className="body">
          <DayBars
            unit="steps"
            bars={dates.map((date) => ({ date, value: steps.get(date) }))}
            gapText={hasWithheld ? 'without data, or withheld' : 'without data'}
          />
        </div>
      </section>
      <TableCard name="Activity by day" columns={COLUMNS} stale={stale}>
        {days
          .filter(({ date }) => shown.has(date))
          .map((day) => (
            <DayRow key={day.date} day={day} />
          ))}
      </TableCard>
    </>
  );
}

function DayRow({ day }: { day: ActivitySummary }) {
  const rate = day.heart_rate;
  return (
    <tr>
      <td className="date">
        <Link to={day.date} title="Sources of these figures">
          {day.date}
        </Link>
      </td>
      <FigureCell row={day} group="movement">
        {formatCount(day.steps)}
      </FigureCell>
      <FigureCell row={day} group="movement">
        {formatKilometers(day.distance_meters)}
      </FigureCell>
      <FigureCell row={day} group="energy">
        {formatCount(day.active_calories_kcal)}
      </FigureCell>
      <FigureCell row={day} group="energy">
        {formatCount(day.total_calories_kcal)}
      </FigureCell>
      <FigureCell row={day} group="movement">
        {formatCount(day.floors_climbed)}
      </FigureCell>
      <FigureCell row={day} group="movement">
        {formatMinutes(day.active_minutes)}
      </FigureCell>
      <FigureCell row={day} group="heart_rate">
        {formatRange(rate?.min_bpm, rate?.avg_bpm, rate?.max_bpm)}
      </FigureCell>
      <SourceCell source={day.source} />
    </tr>
  );
}
