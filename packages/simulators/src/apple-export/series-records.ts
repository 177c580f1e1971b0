import { MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import { Random } from '../random.js';
import type { DayPlan } from './day-plan.js';
import type { Intervals } from './density.js';
import { printed, type RecordLines } from './record-lines.js';
import { trueDay } from './truth.js';

const QUANTITY = 'HKQuantityTypeIdentifier';
const MOTION = {
  resting: [['HKMetadataKeyHeartRateMotionContext', '1']],
  active: [['HKMetadataKeyHeartRateMotionContext', '2']],
} as const;

export interface DayContext {
  seed: number;
  plan: DayPlan;
  intervals: Intervals;
  lines: RecordLines;
}

/** Writes all records of one type for one day. */
export type DayWriter = (context: DayContext) => void;

/** Pulse throughout day and night, denser during workouts; always from the watch. */
export const writeHeartRate: DayWriter = ({ seed, plan, intervals, lines }) => {
  const random = new Random(seed, plan.day.number, 'pulse');
  const step = intervals.heartRateSeconds * 1000;
  const slotMs = intervals.slotMinutes * MS_PER_MINUTE;
  const rates: { atMs: number; bpm: number; active: boolean }[] = [];
  for (let atMs = plan.day.startMs + random.integer(0, 50) * 1000; atMs < plan.day.endMs; atMs += step) {
    if (plan.workouts.some((workout) => atMs >= workout.startMs && atMs < workout.endMs)) continue;
    const asleep = atMs < plan.night.endMs || atMs > plan.day.endMs - MS_PER_HOUR;
    const slot = plan.slots[Math.floor((atMs - (plan.slots[0]?.startMs ?? 0)) / slotMs)];
    const load = slot === undefined ? 0 : Math.min(45, slot.steps / intervals.slotMinutes / 1.6);
    const level = plan.restingHeartRate + (asleep ? -4 : 11) + load;
    rates.push({ atMs, bpm: Math.round(Math.max(42, random.bell(level, 6))), active: load > 8 });
  }
  for (const workout of plan.workouts) for (const rate of workout.heartRates) rates.push({ ...rate, active: true });
  rates.sort((a, b) => a.atMs - b.atMs);
  const day = trueDay(lines.truth, plan.day.date, 'watch');
  day.heartRate = { min: Number.POSITIVE_INFINITY, max: 0, sum: 0, count: 0 };
  const truth = day.heartRate;
  for (const { atMs, bpm, active } of rates) {
    truth.min = Math.min(truth.min, bpm);
    truth.max = Math.max(truth.max, bpm);
    truth.sum += bpm;
    truth.count++;
    const metadata = active ? MOTION.active : MOTION.resting;
    lines.add({
      type: `${QUANTITY}HeartRate`,
      device: 'watch',
      unit: 'count/min',
      value: bpm,
      startMs: atMs,
      metadata,
    });
  }
};

/** The watch counts all steps. The phone counts steps only while the user carries it. */
export const writeSteps: DayWriter = ({ seed, plan, lines }) => {
  const type = `${QUANTITY}StepCount`;
  for (const { device, steps, startMs, endMs } of walked(seed, plan)) {
    trueDay(lines.truth, plan.day.date, device).steps += steps;
    lines.add({ type, device, unit: 'count', value: steps, startMs, endMs });
  }
};

export const writeDistance: DayWriter = ({ seed, plan, lines }) => {
  const type = `${QUANTITY}DistanceWalkingRunning`;
  const stride = 0.00071;
  for (const { device, steps, startMs, endMs } of walked(seed, plan)) {
    const value = printed(steps * stride * (device === 'watch' ? 1 : 0.97), 5);
    trueDay(lines.truth, plan.day.date, device).distanceMeters += Number(value) * 1000;
    lines.add({ type, device, unit: 'km', value, startMs, endMs });
  }
};

export const writeActiveEnergy: DayWriter = ({ plan, lines }) => {
  const day = trueDay(lines.truth, plan.day.date, 'watch');
  for (const { startMs, endMs, activeKcal } of plan.slots) {
    const value = printed(activeKcal, 3);
    day.activeKcal += Number(value);
    lines.add({ type: `${QUANTITY}ActiveEnergyBurned`, device: 'watch', unit: 'kcal', value, startMs, endMs });
  }
};

export const writeBasalEnergy: DayWriter = ({ seed, plan, intervals, lines }) => {
  const random = new Random(seed, plan.day.number, 'basal');
  const day = trueDay(lines.truth, plan.day.date, 'watch');
  const length = intervals.basalMinutes * MS_PER_MINUTE;
  for (let startMs = plan.day.startMs; startMs < plan.day.endMs; startMs += length) {
    const value = printed(intervals.basalMinutes * random.between(1.02, 1.1), 3);
    day.basalKcal += Number(value);
    lines.add({
      type: `${QUANTITY}BasalEnergyBurned`,
      device: 'watch',
      unit: 'kcal',
      value,
      startMs,
      endMs: startMs + length,
    });
  }
};

export const writeFlights: DayWriter = ({ seed, plan, intervals, lines }) => {
  const random = new Random(seed, plan.day.number, 'flights');
  for (const { startMs, steps } of plan.slots) {
    if (steps === 0 || !random.chance(Math.min(0.8, 0.012 * intervals.slotMinutes))) continue;
    const value = random.integer(1, 3);
    trueDay(lines.truth, plan.day.date, 'watch').flights += value;
    const endMs = startMs + 40_000;
    lines.add({ type: `${QUANTITY}FlightsClimbed`, device: 'watch', unit: 'count', value, startMs, endMs });
  }
};

/** Writes the active minutes of workouts in records of up to five minutes; always from the watch. */
export const writeExercise: DayWriter = ({ plan, lines }) => {
  for (const workout of plan.workouts) {
    for (let minute = 0; minute < workout.activeMinutes; minute += 5) {
      const value = Math.min(5, workout.activeMinutes - minute);
      const startMs = workout.startMs + minute * MS_PER_MINUTE;
      trueDay(lines.truth, plan.day.date, 'watch').exerciseMinutes += value;
      const endMs = startMs + value * MS_PER_MINUTE;
      lines.add({ type: `${QUANTITY}AppleExerciseTime`, device: 'watch', unit: 'min', value, startMs, endMs });
    }
  }
};

export const writeStandTime: DayWriter = ({ seed, plan, lines }) => {
  const random = new Random(seed, plan.day.number, 'stand');
  for (let startMs = plan.night.endMs; startMs + MS_PER_HOUR < plan.day.endMs; startMs += MS_PER_HOUR) {
    const value = random.integer(2, 11);
    lines.add({
      type: `${QUANTITY}AppleStandTime`,
      device: 'watch',
      unit: 'min',
      value,
      startMs,
      endMs: startMs + MS_PER_HOUR,
    });
  }
};

function* walked(seed: number, plan: DayPlan) {
  const random = new Random(seed, plan.day.number, 'walked');
  for (const { startMs, endMs, steps, phoneCarried } of plan.slots) {
    const seen = Math.round(steps * random.between(0.86, 0.99));
    const late = random.integer(3, 20) * 1000;
    if (steps > 0) yield { device: 'watch' as const, steps, startMs, endMs: endMs - late };
    if (phoneCarried && seen > 0) {
      yield { device: 'phone' as const, steps: seen, startMs: startMs + late, endMs: endMs - 1000 };
    }
  }
}
