import {
  brokenLength,
  type HealthRecord,
  type RejectionCode,
  readingsIdOf,
  WORKOUT_LENGTH,
  type WorkoutRecord,
  workoutIdentity,
} from '@healthd/model';
import { idOf, isObject, textOf } from '../payload/index.js';
import type { PushAdapter, WorkoutContext } from './adapter.js';
import type { ItemReader, PlacedItem } from './item-reader.js';
import { workoutEvents, workoutSamples } from './workout-parts.js';
import { type PushedStatistics, readStatistics } from './workout-statistics.js';

const MAX_NOTES = 2000;

/** Reads `data.workouts` with all parts. @param known adapters in the order of their type lookup */
export function readWorkouts(
  items: readonly unknown[],
  reader: ItemReader,
  known: readonly PushAdapter[],
): HealthRecord[] {
  const { tally } = reader;
  return items.flatMap((value, index) => {
    const placed = reader.read('workouts', value, index);
    if (!placed) return [];
    if (placed.endMs === placed.startMs) {
      tally.reject('workouts', index, 'endDate', 'empty_interval');
      return [];
    }
    const bound = brokenLength(placed, WORKOUT_LENGTH);
    if (bound !== undefined) {
      tally.reject('workouts', index, 'endDate', 'implausible', bound);
      return [];
    }
    const fault = (field: string, code: RejectionCode, detail?: string) =>
      tally.reject('workouts', index, field, code, detail);
    const { values } = placed.item;
    if (values !== undefined && values !== null && !Array.isArray(values)) fault('values', 'not_an_array');
    const statistics = readStatistics(Array.isArray(values) ? values : [], {
      rejected: fault,
      ignored: (type) => tally.ignore(`workout value ${type}`),
    });
    tally.accept('workouts');
    const workout = workoutOf(placed, statistics, reader.adapter, known);
    const events = workoutEvents(placed.item, fault);
    // An empty list states that the workout has no parts. A missing list states nothing, so `events` stays undefined.
    if (Array.isArray(placed.item.segments) || Array.isArray(placed.item.laps)) workout.events = events;
    const id = readingsIdOf(workout.source.provider, workout);
    return [workout, ...atTheEnd(workout, statistics), ...workoutSamples(placed.item, { ...workout, id }, fault)];
  });
}

function workoutOf(
  { item, source, startMs, endMs, offsetMinutes }: PlacedItem,
  { figures, metadata, indoor, swimmingLocation }: PushedStatistics,
  adapter: PushAdapter,
  known: readonly PushAdapter[],
): WorkoutRecord {
  const further: Record<string, string | number | boolean> = { ...metadata };
  const notes = textOf(item.notes, MAX_NOTES);
  if (notes !== undefined) further.notes = notes;
  const vendorType = textOf(item.type);
  if (vendorType !== undefined) further.vendor_type = vendorType;
  const sent = isObject(item.metadata) ? item.metadata : {};
  const zone = adapter.timeZoneKey === undefined ? undefined : textOf(sent[adapter.timeZoneKey]);
  if (zone !== undefined) further.time_zone = zone;
  return {
    kind: 'workout',
    source,
    externalId: adapter.workoutId({ id: idOf(item.id), metadata: sent }),
    pushedId: idOf(item.id),
    type: typeOf(vendorType, { indoor, swimmingLocation }, known),
    name: textOf(item.title),
    startMs,
    endMs,
    offsetMinutes,
    durationSeconds: (endMs - startMs) / 1000,
    movingSeconds: figures.durationSeconds,
    ...figures,
    indoor,
    metadata: Object.keys(further).length > 0 ? further : undefined,
  };
}

function typeOf(
  name: string | undefined,
  context: WorkoutContext,
  known: readonly PushAdapter[],
): WorkoutRecord['type'] {
  if (name === undefined) return 'other';
  const lower = name.toLowerCase();
  for (const adapter of known) {
    const type = adapter.workoutType(lower, context);
    if (type) return type;
  }
  return 'other';
}

function atTheEnd(workout: WorkoutRecord, { samples }: PushedStatistics): HealthRecord[] {
  const { source, endMs: startMs, offsetMinutes } = workout;
  const placed = { externalId: workoutIdentity(workout), source, startMs, offsetMinutes };
  return samples.map((one) => ({ kind: 'sample', sampleKind: 'aggregate', ...placed, ...one }));
}
