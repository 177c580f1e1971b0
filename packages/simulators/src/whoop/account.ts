import { randomUUID } from 'node:crypto';
import type { AccountFacts } from '../vendor/index.js';
import { type WhoopForms, whoopForms } from './forms.js';
import type {
  EventSubject,
  RecordInput,
  WhoopBody,
  WhoopCycle,
  WhoopEvent,
  WhoopRecovery,
  WhoopSleep,
  WhoopWorkout,
} from './wire-types.js';

/** All data of one account at the vendor. */
export class WhoopAccount {
  readonly cycles = new Map<number, WhoopCycle>();
  readonly sleeps = new Map<string, WhoopSleep>();
  /** Recoveries by sleep id. */
  readonly recoveries = new Map<string, WhoopRecovery>();
  readonly workouts = new Map<string, WhoopWorkout>();
  readonly forms: WhoopForms;
  body: WhoopBody = { height_meter: 1.79, weight_kilogram: 74.2, max_heart_rate: 191 };

  constructor(readonly facts: AccountFacts) {
    this.forms = whoopForms(facts.id);
  }

  /** The vendor's ids are numbers. */
  get userId(): number {
    return Number(this.facts.userId);
  }

  /** Returns a recovery in the account's format. In the format `cycle`, the recovery may contain no sleep id. */
  written(recovery: WhoopRecovery): object {
    const nights = [...this.sleeps.values()].filter(({ cycle_id, nap }) => cycle_id === recovery.cycle_id && !nap);
    const isOfCycle = this.forms.recovery === 'cycle' && nights.length === 1;
    return isOfCycle ? { ...recovery, sleep_id: null } : recovery;
  }

  /** Stores records. @param at the instant of the change. @returns the events of the change */
  put({ cycles = [], sleeps = [], recoveries = [], workouts = [] }: RecordInput, at: string): WhoopEvent[] {
    const { userId: user_id } = this;
    const stamped = { user_id, created_at: at, updated_at: at, score_state: 'SCORED', timezone_offset: 'Z' } as const;
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
      ...sleeps.map(({ id }) => this.event('sleep.updated', id)),
      ...recoveries.map(({ sleep_id }) => this.event('recovery.updated', sleep_id)),
      ...workouts.map(({ id }) => this.event('workout.updated', id)),
    ];
  }

  /** Deletes a record; deleting a sleep also deletes its recovery. @returns the events of the change */
  remove(subject: EventSubject, id: string): WhoopEvent[] {
    if (subject === 'workout') return this.workouts.delete(id) ? [this.event('workout.deleted', id)] : [];
    const events: WhoopEvent[] = [];
    if (subject === 'sleep' && this.sleeps.delete(id)) events.push(this.event('sleep.deleted', id));
    if (this.recoveries.delete(id)) events.push(this.event('recovery.deleted', id));
    return events;
  }

  /** Returns the generated records that the vendor does not have yet, or has in an older version. */
  newsOf({ cycles = [], sleeps = [], recoveries = [], workouts = [] }: RecordInput): RecordInput {
    return {
      cycles: cycles.filter(({ id, end }) => this.cycles.get(id)?.end !== end || !this.cycles.has(id)),
      sleeps: sleeps.filter(({ id, score_state }) => isNews(this.sleeps.get(id), score_state)),
      recoveries: recoveries.filter((one) => isNews(this.recoveries.get(one.sleep_id), one.score_state)),
      workouts: workouts.filter(({ id }) => !this.workouts.has(id)),
    };
  }

  private event(type: WhoopEvent['type'], id: string): WhoopEvent {
    return { user_id: this.userId, id, type, trace_id: randomUUID() };
  }
}

function isNews(stored: { score_state: string } | undefined, state = 'SCORED'): boolean {
  return stored === undefined || stored.score_state !== state;
}
