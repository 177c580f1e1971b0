import { listWorkouts } from '@healthd/contract';
import type { Workout } from '@healthd/schemas';
import {
  formatCount,
  formatKilometers,
  formatMinutes,
  formatRange,
  formatWallClock,
  humanize,
  minutesOf,
  sourceName,
} from '../../format.js';
import { usePeriod } from '../../period.js';
import { client } from '../../session.js';
import { PeriodPage } from './period-page.js';
import { usePeriodPages } from './use-period-pages.js';

const COLUMNS = [
  'Started',
  'Type',
  '#Duration',
  '#Distance km',
  '#Active kcal',
  '#Heart rate avg · max',
  '#Climb m',
  'Source',
];

export function WorkoutsTab({ userId }: { userId: string }) {
  const period = usePeriod();
  const workouts = usePeriodPages('workouts', userId, period, (query, signal) =>
    client.call(listWorkouts, { params: { user_id: userId }, query, signal }),
  );
  return (
    <PeriodPage
      title="Workouts"
      what="workouts"
      userId={userId}
      columns={COLUMNS}
      pages={workouts}
      row={(workout) => <WorkoutRow key={workout.id} workout={workout} />}
      command={`healthctl data workouts --user ${userId} --from ${period}d`}
    />
  );
}

function WorkoutRow({ workout }: { workout: Workout }) {
  return (
    <tr>
      <td className="date">{formatWallClock(workout.start_time, workout.zone_offset)}</td>
      <td className="name">{workout.name ?? humanize(workout.type)}</td>
      <td className="number">{formatMinutes(minutesOf(workout.duration_seconds))}</td>
      <td className="number">{formatKilometers(workout.distance_meters)}</td>
      <td className="number">{formatCount(workout.calories_kcal)}</td>
      <td className="number">{formatRange(workout.avg_heart_rate_bpm, workout.max_heart_rate_bpm)}</td>
      <td className="number">{formatCount(workout.elevation_gain_meters)}</td>
      <td className="name">{sourceName(workout.source)}</td>
    </tr>
  );
}
