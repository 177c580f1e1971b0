import { type Workout, workoutsRoute } from '@healthd/api';
import { useQuery } from '@tanstack/react-query';
import { Problem } from '../../components/problem.js';
import { daysAgo, formatCount, formatKilometers, formatMinutes, formatWallClock, humanize } from '../../format.js';
import { client } from '../../session.js';

const DAYS = 90;

export function WorkoutsTab({ userId }: { userId: string }) {
  const from = daysAgo(DAYS);
  const workouts = useQuery({
    queryKey: ['workouts', userId, from],
    queryFn: ({ signal }) =>
      client.call(workoutsRoute, {
        params: { user_id: userId },
        query: { start_date: from, end_date: daysAgo(-1), limit: '100' },
        signal,
      }),
  });
  if (workouts.error) return <Problem error={workouts.error} />;
  if (!workouts.data) return null;
  return (
    <section className="card scroll">
      <table>
        <thead>
          <tr>
            <th>Started</th>
            <th>Type</th>
            <th className="number">Duration</th>
            <th className="number">km</th>
            <th className="number">kcal</th>
            <th className="number">Heart rate avg</th>
            <th className="number">max</th>
            <th className="number">Climb m</th>
            <th>Source</th>
          </tr>
        </thead>
        <tbody>
          {workouts.data.data.map((workout) => (
            <WorkoutRow key={workout.id} workout={workout} />
          ))}
        </tbody>
      </table>
      {workouts.data.data.length === 0 && <div className="empty">No workouts in the last {DAYS} days.</div>}
    </section>
  );
}

function WorkoutRow({ workout }: { workout: Workout }) {
  return (
    <tr>
      <td>{formatWallClock(workout.start_time, workout.zone_offset)}</td>
      <td>{workout.name ?? humanize(workout.type)}</td>
      <td className="number">
        {formatMinutes(workout.duration_seconds === null ? null : workout.duration_seconds / 60)}
      </td>
      <td className="number">{formatKilometers(workout.distance_meters)}</td>
      <td className="number">{formatCount(workout.calories_kcal)}</td>
      <td className="number">{formatCount(workout.avg_heart_rate_bpm)}</td>
      <td className="number">{formatCount(workout.max_heart_rate_bpm)}</td>
      <td className="number">{formatCount(workout.elevation_gain_meters)}</td>
      <td>{workout.source.device_name ?? workout.source.source ?? workout.source.provider}</td>
    </tr>
  );
}
