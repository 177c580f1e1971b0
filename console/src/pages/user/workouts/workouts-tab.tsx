import { listWorkouts } from '@healthd/contract';
import type { Workout } from '@healthd/schemas';
import { Link } from 'react-router';
import { Commands } from '../../../components/commands.js';
import { SourceCell } from '../../../components/source-cell.js';
import { formatCount, formatKilometers, formatMinutes, formatRange, humanize, minutesOf } from '../../../format.js';
import { useWorkouts } from '../../../hooks/use-data.js';
import { periodBounds, usePeriod } from '../../../period.js';
import { formatRecorded, zonesText } from '../../../record-zone.js';
import { PeriodPage } from '../period-page.js';

const COLUMNS = [
  'Started',
  'Type',
  '#Duration',
  '#Distance km',
  '#Active kcal',
  '#Heart rate avg · max',
  '#Elevation gain m',
  'Source',
];

export function WorkoutsTab({ userId }: { userId: string }) {
  const period = usePeriod();
  const workouts = useWorkouts(userId, period);
  return (
    <PeriodPage
      title="Workouts"
      what="workouts"
      userId={userId}
      columns={COLUMNS}
      pages={workouts}
      note={zonesText(workouts.data?.pages.flatMap(({ data }) => data) ?? [])}
      row={(workout) => <WorkoutRow key={workout.id} workout={workout} />}
      commands={
        <Commands
          healthctl={`healthctl data workouts --user ${userId} --from ${period}d --best`}
          route={listWorkouts}
          input={{
            params: { user_id: userId },
            query: { ...periodBounds(period), filter_by_priority: true, limit: 100 },
          }}
        />
      }
    />
  );
}

function WorkoutRow({ workout }: { workout: Workout }) {
  return (
    <tr>
      <td className="date">
        <Link to={workout.id}>{formatRecorded(workout.start_time, workout)}</Link>
      </td>
      <td className="name">
        {humanize(workout.type)} {workout.name && <span className="muted">{workout.name}</span>}
      </td>
      <td className="number">{formatMinutes(minutesOf(workout.duration_seconds))}</td>
      <td className="number">{formatKilometers(workout.distance_meters)}</td>
      <td className="number">{formatCount(workout.calories_kcal)}</td>
      <td className="number">{formatRange(workout.avg_heart_rate_bpm, workout.max_heart_rate_bpm)}</td>
      <td className="number">{formatCount(workout.elevation_gain_meters)}</td>
      <SourceCell source={workout.source} />
    </tr>
  );
}
