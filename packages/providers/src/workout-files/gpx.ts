import { MS_PER_SECOND } from '@healthd/model';
import type { FitReading } from '../fit/index.js';
import { stepUnitOf } from './cadence.js';
import { NoWorkoutError } from './document-fault.js';
import type { FileWorkout } from './file-workout.js';
import { namedType } from './sports.js';
import { figuresOf, lengthOf, pausesBetween, readingsOf, spanOf, type TrackPoint, workoutsOf } from './track.js';
import { attribute, child, children, instantIn, numberIn, text, type XmlNode } from './xml-tree.js';

/**
 * Maps each track with times to a workout. Segments of a track are separated by pauses. The format contains no totals,
 * so the distance is the length of the line through the positions.
 * @throws DocumentError for too many tracks, NoWorkoutError for a planned route, whose points have no time
 */
export function gpxWorkouts(root: XmlNode): FileWorkout[] {
  const application = attribute(root, 'creator');
  const workouts = workoutsOf(children(root, 'trk'), (track) => workoutOf(track, application));
  if (workouts.length === 0) throw new NoWorkoutError('gpx/route');
  return workouts;
}

function workoutOf(track: XmlNode, application: string | undefined): FileWorkout | undefined {
  const segments = children(track, 'trkseg').map((segment) =>
    children(segment, 'trkpt').flatMap((point) => pointOf(point) ?? []),
  );
  const points = segments.flat();
  const span = spanOf(points);
  if (!span) return undefined;
  const name = text(track, 'name');
  const lengths = segments.flatMap((segment) => lengthOf(segment) ?? []);
  const readings = readingsOf(points);
  const pauses = pausesBetween(segments);
  const paused = pauses.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  const type = namedType(text(track, 'type'));
  return {
    format: 'gpx',
    type,
    cadenceFactor: stepUnitOf(type, { readings }).cadenceFactor,
    ...(name !== undefined && { name }),
    ...span,
    ...(application !== undefined && { application }),
    figures: {
      ...figuresOf(readings.values()),
      durationSeconds: (span.endMs - span.startMs) / MS_PER_SECOND - paused,
      ...(lengths.length > 0 && {
        distanceMeters: lengths.reduce((sum, meters) => sum + meters, 0),
        metadata: { distance_from: 'positions' },
      }),
    },
    laps: [],
    pauses,
    readings,
  };
}

function pointOf(point: XmlNode): TrackPoint | undefined {
  const atMs = instantIn(text(point, 'time'));
  if (atMs === undefined) return undefined;
  const extensions = child(point, 'extensions');
  // Vendors write the values either into a common element or directly into the extensions.
  const measured = child(extensions, 'TrackPointExtension');
  const value = (...names: string[]) => {
    for (const name of names) {
      const found = numberIn(text(measured, name) ?? text(extensions, name));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const heartRate = value('hr', 'heartrate');
  const cadence = value('cad', 'cadence');
  const speed = value('speed') ?? numberIn(text(point, 'speed'));
  const power = value('power', 'PowerInWatts', 'watts');
  const temperature = value('atemp', 'temp');
  const elevation = numberIn(text(point, 'ele'));
  return {
    atMs,
    reading: {
      ...(heartRate !== undefined && heartRate > 0 && { heartRate }),
      ...(speed !== undefined && { speed }),
      ...(cadence !== undefined && { cadence }),
      ...(power !== undefined && { power }),
      ...(temperature !== undefined && { temperature }),
      ...(elevation !== undefined && { elevation }),
      ...positionOf(numberIn(attribute(point, 'lat')), numberIn(attribute(point, 'lon'))),
    },
  };
}

/** Returns a position. Empty if it is missing or not on earth. */
export function positionOf(
  latitude: number | undefined,
  longitude: number | undefined,
): Pick<FitReading, 'latitude' | 'longitude'> {
  if (latitude === undefined || longitude === undefined) return {};
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : {};
}
