import { type WhoopForms, whoopForms } from './forms.js';
import type {
  RecordInput,
  WhoopBody,
  WhoopCycle,
  WhoopEvent,
  WhoopRecovery,
  WhoopSleep,
  WhoopWorkout,
} from './wire-types.js';

/** A generated account of the simulated vendor. */
export interface WhoopAccount {
  /** Name in the control interface. */
  id: string;
  /** The vendor's id, as in the profile and in events. */
  userId: number;
  email: string;
  firstName: string;
  lastName: string;
  /** IANA zone of the generated data. */
  timeZone: string;
}

export type AccountInput = Partial<WhoopAccount> & { body?: WhoopBody };

/** All data of one account at the vendor. */
export class Account {
  readonly cycles = new Map<number, WhoopCycle>();
  readonly sleeps = new Map<string, WhoopSleep>();
  /** By sleep id. */
  readonly recoveries = new Map<string, WhoopRecovery>();
  readonly workouts = new Map<string, WhoopWorkout>();

  readonly forms: WhoopForms;

  constructor(
    readonly facts: WhoopAccount,
    public body: WhoopBody,
  ) {
    this.forms = whoopForms(facts.id);
  }

  /** Returns a recovery in the vendor's format; some contain only their cycle. */
  written(recovery: WhoopRecovery): object {
    const nights = [...this.sleeps.values()].filter(({ cycle_id, nap }) => cycle_id === recovery.cycle_id && !nap);
    const isOfCycle = this.forms.recovery === 'cycle' && nights.length === 1;
    return isOfCycle ? { ...recovery, sleep_id: null } : recovery;
  }

  /** Stores records. @param at the instant of the change. @returns the events of the change, without trace ids */
  put(
    { cycles = [], sleeps = [], recoveries = [], workouts = [] }: RecordInput,
    at: string,
  ): Omit<WhoopEvent, 'trace_id'>[] {
    const { userId: user_id } = this.facts;
    const stamped = { user_id, created_at: at, updated_at: at, score_state: 'SCORED', timezone_offset: 'Z' } as const;
    const updated = (id: string, type: WhoopEvent['type']) => ({ user_id, id, type });
    for (const cycle of cycles) this.cycles.set(cycle.id, { ...stamped, ...this.cycles.get(cycle.id), ...cycle });
    for (const sleep of sleeps) {
      const before = this.sleeps.get(sleep.id);
      this.sleeps.set(sleep.id, { ...stamped, v1_id: null, nap: false, ...before, ...sleep, updated_at: at });
    }
    for (const recovery of recoveries) {
      const { timezone_offset: _, ...plain } = stamped;
      const before = this.recoveries.get(recovery.sleep_id);
      this.recoveries.set(recovery.sleep_id, { ...plain, ...before, ...recovery, updated_at: at });
    }
    for (const workout of workouts) {
      const before = this.workouts.get(workout.id);
      this.workouts.set(workout.id, { ...stamped, v1_id: null, ...before, ...workout, updated_at: at });
    }
    return [
      ...sleeps.map(({ id }) => updated(id, 'sleep.updated')),
      ...recoveries.map(({ sleep_id }) => updated(sleep_id, 'recovery.updated')),
      ...workouts.map(({ id }) => updated(id, 'workout.updated')),
    ];
  }

  /** Deletes a record; deleting a sleep also deletes its recovery. @returns the events of the change */
  remove(subject: 'sleep' | 'recovery' | 'workout', id: string): Omit<WhoopEvent, 'trace_id'>[] {
    const { userId: user_id } = this.facts;
    if (subject === 'workout') return this.workouts.delete(id) ? [{ user_id, id, type: 'workout.deleted' }] : [];
    const events: Omit<WhoopEvent, 'trace_id'>[] = [];
    if (subject === 'sleep' && this.sleeps.delete(id)) events.push({ user_id, id, type: 'sleep.deleted' });
    if (this.recoveries.delete(id)) events.push({ user_id, id, type: 'recovery.deleted' });
    return events;
  }
}
