import { type ExportElement, parseInstant } from '@healthd/apple-export';
import type { WorkoutEvent, WorkoutRecord, WorkoutType } from '@healthd/model';
import { quantityOf } from './quantity-text.js';
import { distancesBelow, workoutFigures } from './workout-statistics.js';
import { activityName, workoutType } from './workout-types.js';

const EVENT_TYPES: Readonly<Record<string, WorkoutEvent['type']>> = {
  HKWorkoutEventTypePause: 'pause',
  HKWorkoutEventTypeResume: 'resume',
  HKWorkoutEventTypeMotionPaused: 'motion_pause',
  HKWorkoutEventTypeMotionResumed: 'motion_resume',
  HKWorkoutEventTypeLap: 'lap',
  HKWorkoutEventTypeSegment: 'segment',
  HKWorkoutEventTypeMarker: 'marker',
};

/** Returns the metadata of a workout or record; the last entry wins if a key repeats. */
export function metadataOf(element: ExportElement): Map<string, string> {
  const metadata = new Map<string, string>();
  for (const { name, attributes } of element.children) {
    const key = name === 'MetadataEntry' ? attributes.get('key') : undefined;
    if (key !== undefined) metadata.set(key, attributes.get('value') ?? '');
  }
  return metadata;
}

/** Returns pauses, laps, segments and markers in file order. Skips events without a readable date. */
export function workoutEvents(element: ExportElement): WorkoutEvent[] {
  const events: WorkoutEvent[] = [];
  for (const { name, attributes } of element.children) {
    if (name !== 'WorkoutEvent') continue;
    const kind = attributes.get('type') ?? '';
    const type = Object.hasOwn(EVENT_TYPES, kind) ? EVENT_TYPES[kind] : undefined;
    const at = parseInstant(attributes.get('date') ?? '');
    if (type !== undefined && at !== undefined) {
      events.push({ type, startMs: at.ms, durationSeconds: durationSeconds(attributes) });
    }
  }
  return events;
}

/** Returns the parts of a multisport workout; undefined for a single activity. */
export function workoutActivities(element: ExportElement): WorkoutRecord['activities'] {
  const parts = element.children.filter((child) => child.name === 'WorkoutActivity');
  if (parts.length < 2) return undefined;
  return parts.flatMap((part) => {
    const start = parseInstant(part.attributes.get('startDate') ?? '');
    if (start === undefined) return [];
    const name = activityName(part.attributes.get('workoutActivityType') ?? '');
    return {
      type: name === '' ? typeByDistance(part) : workoutType(name),
      startMs: start.ms,
      endMs: parseInstant(part.attributes.get('endDate') ?? '')?.ms,
      durationSeconds: durationSeconds(part.attributes),
      distanceMeters: workoutFigures(part, name).distanceMeters,
    };
  });
}

/** Returns the active time from the attributes `duration` and `durationUnit`; minutes if the unit is missing. */
export function durationSeconds(attributes: Map<string, string>): number | undefined {
  return quantityOf(attributes.get('duration'), attributes.get('durationUnit') ?? 'min', 's');
}

// Exports omit the sport of a part, but its distance type indicates it. A part without distance is a transition.
function typeByDistance(part: ExportElement): WorkoutType {
  const distances = distancesBelow(part);
  if (distances.has('DistanceSwimming')) return 'swimming';
  if (distances.has('DistanceCycling')) return 'cycling';
  return distances.has('DistanceWalkingRunning') ? 'running' : 'transition';
}
