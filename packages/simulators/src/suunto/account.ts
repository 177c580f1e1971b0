import { MS_PER_SECOND } from '@healthd/model';
import type { WorkoutFile } from '../fit/index.js';
import type { PersonFacts } from '../vendor/index.js';
import type { SuuntoDay, SuuntoInput, SuuntoSample, SuuntoWorkout } from './wire-types.js';

/** Everything that the vendor holds of one person. */
export class SuuntoAccount {
  readonly workouts = new Map<string, { workout: SuuntoWorkout; changedMs: number }>();
  readonly files = new Map<string, WorkoutFile>();
  /** All versions, in the order in which the watch sent them. */
  sleep: SuuntoSample[] = [];
  readonly activity = new Map<string, SuuntoSample>();
  readonly recovery = new Map<string, SuuntoSample>();
  readonly days = new Map<string, SuuntoDay>();
  /** Samples of sleep and recovery that lists have only from then on. */
  readonly lateInLists = new Map<SuuntoSample, number>();

  constructor(readonly facts: PersonFacts) {}

  /**
   * Stores what the watch sent. @param nowMs when; undefined: soon after each of it happened
   * @returns the messages about what is new
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

  /** Has lists lag behind until then, of what the messages bring. */
  holdBack(messages: readonly object[], untilMs: number): void {
    for (const message of messages) {
      if (!('samples' in message) || !('type' in message) || message.type === 'SUUNTO_247_ACTIVITY_CREATED') continue;
      for (const sample of message.samples as SuuntoSample[]) this.lateInLists.set(sample, untilMs);
    }
  }

  /** @returns the keys of those that are others than before */
  private putFiles(files: SuuntoInput['files'] = {}): ReadonlySet<string> {
    const changed = Object.entries(files).filter(([key, file]) => !isSame(this.files.get(key), file ?? undefined));
    for (const [key, file] of changed) {
      if (file) this.files.set(key, file);
      else this.files.delete(key);
    }
    return new Set(changed.map(([key]) => key));
  }

  /** The message has little of a workout, and the device beside it. */
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
