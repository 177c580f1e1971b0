import type { ProviderId, SourceIdentity, WorkoutType } from '@healthd/model';
import type { PushedSource } from './pushed-source.js';

/** How to store the values of one record type and declared unit. */
export type RecordPlan =
  | { kind: 'sample'; typeId: number; convert: (value: number) => number }
  /** A rate in kcal per day for the whole local day. */
  | { kind: 'basal_rate' }
  /** Active and basal energy together. */
  | { kind: 'total_energy' }
  | { kind: 'unknown_unit' };

/** A workout's values that indicate its location. */
export interface WorkoutContext {
  indoor?: boolean;
  /** HealthKit's number: 1 pool, 2 open water. */
  swimmingLocation?: string;
}

/** Parts of the mobile clients' shared payload that differ by phone store. */
export interface PushAdapter {
  provider: ProviderId;
  /** Possible values of a record's `type`. */
  recordTypes: readonly string[];
  /** Member of an item's metadata with the user's time zone, e.g. `America/New_York`. */
  timeZoneKey?: string;
  /**
   * Returns how to store records of a type and unit; undefined for an unknown type. Without a unit the client's default
   * unit applies.
   */
  record(type: string, unit: string | undefined): RecordPlan | undefined;
  /** Returns the unified type for the client's lower-case name of a workout; undefined if it is unknown. */
  workoutType(name: string, context: WorkoutContext): WorkoutType | undefined;
  source(source: PushedSource): SourceIdentity;
  /** Returns the vendor's id of a workout, if corrections keep the id. */
  workoutId(workout: { id?: string; metadata: Readonly<Record<string, unknown>> }): string | undefined;
}
