import { getWorkout } from '@healthd/contract';
import type { WorkoutDetail } from '@healthd/schemas';
import { Link, useParams } from 'react-router';
import { AttributionLine } from '../../../components/attribution.js';
import { Commands } from '../../../components/commands.js';
import { Facts } from '../../../components/facts.js';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import {
  formatCount,
  formatDistance,
  formatMinutes,
  formatPace,
  formatRange,
  humanize,
  minutesOf,
  sourceName,
} from '../../../format.js';
import { useWorkout } from '../../../hooks/use-health.js';
import { formatRecorded, zonesText } from '../../../record-zone.js';
import { SessionSamples } from '../session-samples.js';
import { Parts } from './parts.js';
import { Route } from './route.js';
import { routeOf } from './route-line.js';

/** Workout page: figures, parts, route and samples. */
export function WorkoutPage({ userId }: { userId: string }) {
  const { workoutId = '' } = useParams();
  const query = useWorkout(userId, workoutId);
  if (query.error) return <Problem error={query.error} retry={query.refetch} />;
  if (!query.data) return <Loading />;
  const workout = query.data;
  const zone = workout.local_offset;
  const line = routeOf(workout.samples);
  return (
    <>
      <div className="row spread">
        <h2>
          {workout.name ?? humanize(workout.type)} on {formatRecorded(workout.start_time, workout)}
        </h2>
        <Link to={`/users/${userId}/workouts`}>All workouts</Link>
      </div>
      <section className="card" aria-label="Figures">
        <header>
          <h2>{humanize(workout.type)}</h2>
          <span className="muted">
            {sourceName(workout.source)}, {zonesText([workout])}
          </span>
        </header>
        <WorkoutFacts workout={workout} />
        {workout.duplicate_ids.length > 0 && <Duplicates userId={userId} ids={workout.duplicate_ids} />}
      </section>
      <AttributionLine of={workout.attribution} />
      {line && <Route line={line} />}
      <Parts workout={workout} zone={zone} />
      <SessionSamples session={workout} zone={zone} />
      <Commands
        healthctl={`healthctl data workout ${workoutId} --user ${userId}`}
        route={getWorkout}
        input={{ params: { user_id: userId, workout_id: workoutId } }}
      />
    </>
  );
}

function WorkoutFacts({ workout }: { workout: WorkoutDetail }) {
  const facts: [name: string, value: string][] = [
    ['Duration', formatMinutes(minutesOf(workout.duration_seconds))],
    ['Moving', formatMinutes(minutesOf(workout.moving_seconds))],
    ['Distance', formatDistance(workout.distance_meters)],
    ['Pace', formatPace(workout.avg_pace_sec_per_km)],
    ['Heart rate min · avg · max', withUnit(heartRate(workout), 'bpm')],
    ['Active energy', withUnit(formatCount(workout.calories_kcal), 'kcal')],
    ['Total energy', withUnit(formatCount(workout.total_calories_kcal), 'kcal')],
    ['Elevation gain', withUnit(formatCount(workout.elevation_gain_meters), 'm')],
    ['Steps', formatCount(workout.steps_count)],
    ['Power avg · max', withUnit(formatRange(workout.average_watts, workout.max_watts), 'W')],
    ['Cadence', withUnit(formatCount(workout.average_cadence_rpm), '/min')],
  ];
  return <Facts facts={facts.filter(([, value]) => value !== '–')} />;
}

function Duplicates({ userId, ids }: { userId: string; ids: readonly string[] }) {
  return (
    <div className="body">
      Other sources recorded the same workout:{' '}
      {ids.map((id, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <Link to={`/users/${userId}/workouts/${id}`} className="mono">
            {id.slice(0, 8)}
          </Link>
        </span>
      ))}
    </div>
  );
}

function heartRate({
  min_heart_rate_bpm: min,
  avg_heart_rate_bpm: avg,
  max_heart_rate_bpm: max,
}: WorkoutDetail): string {
  return formatRange(min, avg, max);
}

function withUnit(text: string, unit: string): string {
  return text === '–' ? text : `${text} ${unit}`;
}
