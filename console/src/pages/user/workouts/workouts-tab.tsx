import { listWorkouts } from '@healthd/contract';
import type { Workout } from '@healthd/schemas';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { Commands } from '../../../components/commands.js';
import { Loading } from '../../../components/loading.js';
import { SourceCell } from '../../../components/source-cell.js';
import { formatCount, formatKilometers, formatMinutes, formatRange, humanize, minutesOf } from '../../../format.js';
import { useWorkouts } from '../../../hooks/use-data.js';
import { useZonesOfRecords } from '../../../hooks/use-person-zone.js';
import { periodBounds, usePeriod } from '../../../period.js';
import { type Dated, formatRecorded, type ZoneOfRecord, zonesText } from '../../../record-zone.js';
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
  const seen = useMemo(() => workouts.data?.pages.flatMap(({ data }) => data.map(startOf)) ?? [], [workouts.data]);
  const zoneOf = useZonesOfRecords(userId, seen);
  if (!zoneOf) return <Loading />;
  return (
    <PeriodPage
      title="Workouts"
      what="workouts"
      userId={userId}
      columns={COLUMNS}
      pages={workouts}
      note={zonesText(seen, zoneOf)}
      row={(workout) => <WorkoutRow key={workout.id} workout={workout} zoneOf={zoneOf} />}
      commands={
        <Commands
          healthctl={`healthctl data workouts --user ${userId} --from ${period}d`}
          route={listWorkouts}
          input={{ params: { user_id: userId }, query: { ...periodBounds(period), limit: 100 } }}
        />
      }
    />
  );
}

/** When a workout began, which is what dates it. */
function startOf({ start_time, zone_offset }: Workout): Dated {
  return { instant: start_time, offset: zone_offset };
}

function WorkoutRow({ workout, zoneOf }: { workout: Workout; zoneOf: ZoneOfRecord }) {
  return (
    <tr>
      <td className="date">
        <Link to={workout.id}>{formatRecorded(startOf(workout), zoneOf)}</Link>
      </td>
      <td className="name">{workout.name ?? humanize(workout.type)}</td>
      <td className="number">{formatMinutes(minutesOf(workout.duration_seconds))}</td>
      <td className="number">{formatKilometers(workout.distance_meters)}</td>
      <td className="number">{formatCount(workout.calories_kcal)}</td>
      <td className="number">{formatRange(workout.avg_heart_rate_bpm, workout.max_heart_rate_bpm)}</td>
      <td className="number">{formatCount(workout.elevation_gain_meters)}</td>
      <SourceCell source={workout.source} />
    </tr>
  );
}
