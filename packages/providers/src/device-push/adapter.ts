import type { ProviderId, SourceIdentity, WorkoutType } from '@healthd/model';
import type { PushedSource } from './pushed-source.js';

/** How the values of one record type with one declared unit are stored. */
export type RecordPlan =
  | { kind: 'sample'; typeId: number; convert: (value: number) => number }
  /** A rate in kcal a day, which holds for the whole local day. */
  | { kind: 'basal_rate' }
  /** Active and basal energy together. */
  | { kind: 'total_energy' }
  | { kind: 'unknown_unit' };

/** What a workout's values say about where it took place. */
export interface WorkoutContext {
  indoor?: boolean;
  /** HealthKit's number: 1 pool, 2 open water. */
  swimmingLocation?: string;
}

/** What is particular to one phone store in the payload that all mobile clients share. */
export interface PushAdapter {
  provider: ProviderId;
  /** Words that `type` of a record may have. */
  recordTypes: readonly string[];
  /** Member of an item's metadata that names the time zone of the person, e.g. `America/New_York`. */
  timeZoneKey?: string;
  /** How records of a type with a unit are stored; undefined for a type that is not known. Without a unit the client's own counts. */
  record(type: string, unit: string | undefined): RecordPlan | undefined;
  /** The unified type of a workout by the client's name for it, lower case; undefined when it is not known. */
  workoutType(name: string, context: WorkoutContext): WorkoutType | undefined;
  source(source: PushedSource): SourceIdentity;
  /** The vendor's own identity of a workout, where a correction keeps it. */
  workoutId(workout: { id?: string; metadata: Readonly<Record<string, unknown>> }): string | undefined;
}
