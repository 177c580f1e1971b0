import { MS_PER_SECOND } from '@healthd/model';
import type { FitActivity } from '../fit/index.js';
import { stepUnitOf } from './cadence.js';
import { NoWorkoutError } from './document-fault.js';
import type { FileWorkout } from './file-workout.js';
import { positionOf } from './gpx.js';
import { namedType } from './sports.js';
import { figuresOf, lengthOf, pausesBetween, readingsOf, spanOf, type TrackPoint, workoutsOf } from './track.js';
import { attribute, child, children, instantIn, numberIn, text, type XmlNode } from './xml-tree.js';

/** Maps each activity to a workout. @throws DocumentError for too many activities, NoWorkoutError for a planned course */
export function tcxWorkouts(root: XmlNode): FileWorkout[] {
  const activities = children(child(root, 'Activities'), 'Activity');
  const parts = children(child(root, 'Activities'), 'MultiSportSession').flatMap((session) =>
    [...children(session, 'FirstSport'), ...children(session, 'NextSport')].flatMap((part) =>
      children(part, 'Activity'),
    ),
  );
  const workouts = workoutsOf([...activities, ...parts], workoutOf);
  if (workouts.length === 0) throw new NoWorkoutError('tcx/course');
  return workouts;
}

interface Lap {
  node: XmlNode;
  startMs: number | undefined;
  seconds: number | undefined;
  meters: number | undefined;
  tracks: TrackPoint[][];
}

function workoutOf(activity: XmlNode): FileWorkout | undefined {
  const laps = children(activity, 'Lap').map(lapOf);
  const tracks = laps.flatMap((lap) => lap.tracks);
  const points = tracks.flat();
  const measured = spanOf(points);
  const starts = laps.flatMap(({ startMs }) => startMs ?? []);
  const startMs = Math.min(...starts, measured?.startMs ?? Number.POSITIVE_INFINITY);
  if (!Number.isFinite(startMs)) return undefined;
  const seconds = sumOf(laps.map((lap) => lap.seconds));
  // A lap's time excludes its pauses, so a lap may end later. The last reading shows its actual end.
  const ends = laps.map((lap) => (lap.startMs ?? startMs) + (lap.seconds ?? 0) * MS_PER_SECOND);
  const endMs = Math.round(Math.max(startMs, ...ends, measured?.endMs ?? startMs));
  const readings = readingsOf(points);
  const pauses = pausesBetween(tracks);
  const device = text(activity, 'Creator', 'Name');
  const fromPoints = figuresOf(readings.values());
  const meters = sumOf(laps.map((lap) => lap.meters)) ?? sumOf(tracks.map(lengthOf));
  const rates = laps.map(({ node }) => numberIn(text(node, 'MaximumHeartRateBpm', 'Value')));
  const speeds = laps.map(({ node }) => numberIn(text(node, 'MaximumSpeed')));
  const type = namedType(attribute(activity, 'Sport'));
  return {
    format: 'tcx',
    type,
    cadenceFactor: stepUnitOf(type, { readings }).cadenceFactor,
    startMs,
    endMs,
    ...(device !== undefined && { device }),
    figures: {
      ...fromPoints,
      ...(seconds !== undefined && { durationSeconds: seconds }),
      ...(meters !== undefined && { distanceMeters: meters }),
      totalCaloriesKcal: sumOf(laps.map(({ node }) => numberIn(text(node, 'Calories')))),
      stepsCount: sumOf(laps.map(({ node }) => numberIn(text(node, 'Extensions', 'LX', 'Steps')))),
      heartRateAvg: fromPoints.heartRateAvg ?? meanRate(laps),
      heartRateMax: greatest(rates) ?? fromPoints.heartRateMax,
      maxSpeed: greatest(speeds) ?? fromPoints.maxSpeed,
    },
    laps: laps.flatMap(({ startMs: at, seconds: length, meters: distanceMeters }): FitActivity['laps'][number][] =>
      at === undefined || length === undefined
        ? []
        : [{ startMs: at, durationSeconds: length, ...(distanceMeters !== undefined && { distanceMeters }) }],
    ),
    pauses,
    readings,
  };
}

function lapOf(node: XmlNode): Lap {
  return {
    node,
    startMs: instantIn(attribute(node, 'StartTime')),
    seconds: numberIn(text(node, 'TotalTimeSeconds')),
    meters: numberIn(text(node, 'DistanceMeters')),
    tracks: children(node, 'Track').map((track) =>
      children(track, 'Trackpoint').flatMap((point) => pointOf(point) ?? []),
    ),
  };
}

function pointOf(point: XmlNode): TrackPoint | undefined {
  const atMs = instantIn(text(point, 'Time'));
  if (atMs === undefined) return undefined;
  const extension = child(point, 'Extensions', 'TPX');
  const heartRate = numberIn(text(point, 'HeartRateBpm', 'Value'));
  const cadence = numberIn(text(point, 'Cadence')) ?? numberIn(text(extension, 'RunCadence'));
  const speed = numberIn(text(extension, 'Speed'));
  const power = numberIn(text(extension, 'Watts'));
  const elevation = numberIn(text(point, 'AltitudeMeters'));
  const distance = numberIn(text(point, 'DistanceMeters'));
  const position = child(point, 'Position');
  return {
    atMs,
    reading: {
      ...(heartRate !== undefined && heartRate > 0 && { heartRate }),
      ...(speed !== undefined && { speed }),
      ...(cadence !== undefined && { cadence }),
      ...(power !== undefined && { power }),
      ...(elevation !== undefined && { elevation }),
      ...(distance !== undefined && { distance }),
      ...positionOf(numberIn(text(position, 'LatitudeDegrees')), numberIn(text(position, 'LongitudeDegrees'))),
    },
  };
}

/** Returns the mean of the laps' heart rates, weighted by their time. */
function meanRate(laps: readonly Lap[]): number | undefined {
  let beats = 0;
  let time = 0;
  for (const { node, seconds = 0 } of laps) {
    const rate = numberIn(text(node, 'AverageHeartRateBpm', 'Value'));
    if (rate === undefined || rate <= 0 || seconds <= 0) continue;
    beats += rate * seconds;
    time += seconds;
  }
  return time > 0 ? beats / time : undefined;
}

/** Returns the sum of the known values; undefined without a known value. */
function sumOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}

function greatest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value): value is number => value !== undefined && value > 0);
  return known.length === 0 ? undefined : known.reduce((a, b) => Math.max(a, b));
}
