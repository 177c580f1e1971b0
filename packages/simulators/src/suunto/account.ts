import { MS_PER_SECOND } from '@healthd/model';
import type { WorkoutFile } from '../fit/index.js';
import type { AccountFacts } from '../vendor/index.js';
import type { SuuntoDay, SuuntoInput, SuuntoSample, SuuntoWorkout } from './wire-types.js';

/** All data of one account at the vendor. */
export class SuuntoAccount {
  readonly workouts = new Map<string, { workout: SuuntoWorkout; changedMs: number }>();
  readonly files = new Map<string, WorkoutFile>();
  /** All versions, in the order in which the watch sent them. */
  sleep: SuuntoSample[] = [];
  readonly activity = new Map<string, SuuntoSample>();
  readonly recovery = new Map<string, SuuntoSample>();
  readonly days = new Map<string, SuuntoDay>();
  /** Sleep and recovery samples with the time from which lists contain them. */
  readonly lateInLists = new Map<SuuntoSample, number>();

  constructor(readonly facts: AccountFacts) {}

  /**
   * Stores data of the watch. @param nowMs time of the upload; undefined means shortly after each measurement
   * @returns the messages about new data
   */
  put(input: SuuntoInput, nowMs?: number): object[] {
    const files = this.putFiles(input.files);
    for (const day of input.days ?? []) this.days.set(`${day.date} ${day.device}`, day);
    const workouts = (input.workouts ?? []).filter((workout) => {
      const known = this.workouts.get(workout.workoutKey)?.workout;
      if (isSame(known, workout) && !files.has(workout.workoutKey)) return false;
      const changedMs = nowMs ?? workout.startTime + (workout.totalTime + 600) * MS_PER_SECOND;
      this.workouts.set(workout.workoutKey, { workout, changedMs });
      return known === undefined;
    });
    const sleep = (input.sleep ?? []).filter((sample) => !this.sleep.some((known) => isSame(known, sample)));
    this.sleep.push(...sleep);
    return [
      ...workouts.map((workout) => this.workoutMessage(workout)),
      ...this.message('SLEEP', sleep),
      ...this.message('ACTIVITY', added(this.activity, input.activity)),
      ...this.message('RECOVERY', added(this.recovery, input.recovery)),
    ];
  }

  /** Hides the sleep and recovery samples of these messages from lists until this time. */
  holdBack(messages: readonly object[], untilMs: number): void {
    for (const message of messages) {
      if (!('samples' in message) || !('type' in message) || message.type === 'SUUNTO_247_ACTIVITY_CREATED') continue;
      for (const sample of message.samples as SuuntoSample[]) this.lateInLists.set(sample, untilMs);
    }
  }

  /** @returns the keys of changed files */
  private putFiles(files: SuuntoInput['files'] = {}): ReadonlySet<string> {
    const changed = Object.entries(files).filter(([key, file]) => !isSame(this.files.get(key), file ?? undefined));
    for (const [key, file] of changed) {
      if (file) this.files.set(key, file);
      else this.files.delete(key);
    }
    return new Set(changed.map(([key]) => key));
  }

  /** Returns a message with the device and only a few members of the workout. */
  private workoutMessage({ gear, workoutKey, activityId, startTime, totalTime, totalDistance }: SuuntoWorkout): object {
    return {
      type: 'WORKOUT_CREATED',
      username: this.facts.userId,
      workout: { workoutKey, activityId, startTime, totalTime, totalDistance },
      gear,
    };
  }

  private message(kind: string, samples: SuuntoSample[]): object[] {
    if (samples.length === 0) return [];
    return [{ type: `SUUNTO_247_${kind}_CREATED`, username: this.facts.userId, samples }];
  }
}

function added(known: Map<string, SuuntoSample>, samples: readonly SuuntoSample[] = []): SuuntoSample[] {
  return samples.filter((sample) => {
    const isKnown = isSame(known.get(sample.timestamp), sample);
    known.set(sample.timestamp, sample);
    return !isKnown;
  });
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
