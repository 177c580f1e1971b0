import { MS_PER_SECOND } from '@healthd/model';
import type { RecordedSecond, WorkoutFile } from '../fit/index.js';
import { Random } from '../random.js';
import type { SuuntoWorkout } from './wire-types.js';

/** Watches that save energy record less often than each second. */
const EVERY_SECONDS = 10;
const LAP_SECONDS = 1_200;

/** The file of a made-up workout: a way to the north-east, with a pause where the workout has one. */
export function madeUpFile(workout: SuuntoWorkout, seed: number): WorkoutFile {
  const random = new Random(seed, workout.startTime, 'suunto files');
  const { startTime, stopTime, totalTime, hrdata, cadence, avgSpeed, avgPower, maxAltitude } = workout;
  const active = Math.floor(totalTime);
  const paused = typeof stopTime === 'number' ? Math.round((stopTime - startTime) / MS_PER_SECOND - totalTime) : 0;
  const pauseAt = Math.floor(active / 2);
  const isOutdoors = Number(maxAltitude) > 0;
  const readings: RecordedSecond[] = [];
  for (let at = 0; at < active; at += EVERY_SECONDS) {
    // Now and then the belt loses contact.
    const hasContact = hrdata !== undefined && random.chance(0.97);
    readings.push({
      second: at < pauseAt ? at : at + paused,
      ...(hasContact && { heartRate: random.integer(95, 171) }),
      ...(avgSpeed !== undefined && { speed: random.integer(0, 8_000) / 1_000 }),
      ...(cadence !== undefined && { cadence: random.integer(40, 95) }),
      ...(avgPower !== undefined && { power: random.integer(0, 480) }),
      ...(isOutdoors && {
        elevation: random.integer(100, 1_500) / 5,
        latitude: 65 + at / 100_000,
        longitude: 25 + at / 100_000,
      }),
    });
  }
  const laps = [];
  for (let second = 0; second + LAP_SECONDS <= active; second += LAP_SECONDS) {
    laps.push({ second, seconds: LAP_SECONDS, meters: Math.round(LAP_SECONDS * Number(avgSpeed ?? 0)) });
  }
  return { readings, laps, ...(paused > 0 && { pauses: [{ second: pauseAt, seconds: paused }] }) };
}
