import { type ActivitySummary, activityRoute } from '@healthd/api';
import { useQuery } from '@tanstack/react-query';
import { Command } from '../../components/command.js';
import { DayBars } from '../../components/day-bars.js';
import { Problem } from '../../components/problem.js';
import { daysAgo, formatCount, formatKilometers, formatMinutes } from '../../format.js';
import { client } from '../../session.js';

const DAYS = 30;

/** The last 30 days; days reach one past today because the person may live ahead of UTC. */
export function ActivityTab({ userId }: { userId: string }) {
  const from = daysAgo(DAYS - 1);
  const activity = useQuery({
    queryKey: ['activity', userId, from],
    queryFn: ({ signal }) =>
      client.call(activityRoute, {
        params: { user_id: userId },
        query: { start_date: from, end_date: daysAgo(-2), limit: '100' },
        signal,
      }),
  });
  if (activity.error) return <Problem error={activity.error} />;
  if (!activity.data) return null;
  const byDate = new Map(activity.data.data.map((day) => [day.date, day]));
  const dates = Array.from({ length: DAYS }, (_, index) => daysAgo(DAYS - 1 - index));
  if (byDate.size === 0) return <NoActivity userId={userId} />;
  return (
    <>
      <section className="card">
        <header>
          <h2>Steps, last {DAYS} days</h2>
          <span className="muted">days of the person&rsquo;s own clock</span>
        </header>
        <div className="body">
          <DayBars unit="steps" bars={dates.map((date) => ({ date, value: byDate.get(date)?.steps ?? undefined }))} />
        </div>
      </section>
      <section className="card scroll">
        <table>
          <thead>
            <tr>
              <th>Date</th>
              <th className="number">Steps</th>
              <th className="number">km</th>
              <th className="number">Active kcal</th>
              <th className="number">Total kcal</th>
              <th className="number">Floors</th>
              <th className="number">Active</th>
              <th className="number">Heart rate</th>
              <th>Source</th>
            </tr>
          </thead>
          <tbody>
            {[...activity.data.data].reverse().map((day) => (
              <DayRow key={day.date} day={day} />
            ))}
          </tbody>
        </table>
      </section>
      <Command line={`healthctl data activity --user ${userId} --from ${from}`} />
    </>
  );
}

function DayRow({ day }: { day: ActivitySummary }) {
  return (
    <tr>
      <td>{day.date}</td>
      <td className="number">{formatCount(day.steps)}</td>
      <td className="number">{formatKilometers(day.distance_meters)}</td>
      <td className="number">{formatCount(day.active_calories_kcal)}</td>
      <td className="number">{formatCount(day.total_calories_kcal)}</td>
      <td className="number">{formatCount(day.floors_climbed)}</td>
      <td className="number">{formatMinutes(day.active_minutes)}</td>
      <td className="number">
        {day.heart_rate ? `${day.heart_rate.min_bpm} · ${day.heart_rate.avg_bpm} · ${day.heart_rate.max_bpm}` : '–'}
      </td>
      <td>{day.source.device_name ?? day.source.source ?? day.source.provider}</td>
    </tr>
  );
}

function NoActivity({ userId }: { userId: string }) {
  return (
    <div className="card empty">
      Nothing in the last {DAYS} days. Import what the person&rsquo;s phone exports:
      <br />
      <code>healthctl import export.zip --user {userId}</code>
    </div>
  );
}
