import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import type { LocalDay } from '../calendar.js';
import { Random } from '../random.js';
import type { Intervals } from './density.js';
import { type NightPlan, planNight } from './night-plan.js';
import { planWorkouts, type WorkoutPlan } from './workout-plan.js';

/** A part of the waking day with its events. */
interface Slot {
  startMs: number;
  endMs: number;
  /** Steps actually made; each device counts its own share. */
  steps: number;
  activeKcal: number;
  /** True if the user carried the phone. */
  phoneCarried: boolean;
}

/** Events of one local day, recomputed on demand with the same result. */
export interface DayPlan {
  day: LocalDay;
  night: NightPlan;
  workouts: WorkoutPlan[];
  slots: Slot[];
  restingHeartRate: number;
  /** Factor of the day's movement, about 1; higher on active days. */
  activity: number;
}

export function planDay(seed: number, day: LocalDay, intervals: Intervals): DayPlan {
  const random = new Random(seed, day.number, 'day');
  const night = planNight(seed, day);
  const workouts = planWorkouts(seed, day, intervals);
  const weekend = new Date(day.number * MS_PER_DAY).getUTCDay() % 6 === 0;
  const activity = Math.min(1.6, Math.max(0.45, random.bell(weekend ? 1.1 : 0.95, 0.3)));
  const season = Math.sin((2 * Math.PI * day.number) / 365.25);
  const restingHeartRate = Math.round(57 + 2 * season + random.bell(0, 1.5));
  const plan = { day, night, workouts, restingHeartRate, activity };
  return { ...plan, slots: planSlots(seed, plan, intervals) };
}

function planSlots(seed: number, plan: Omit<DayPlan, 'slots'>, { slotMinutes }: Intervals): Slot[] {
  const { day, night, workouts, activity } = plan;
  const random = new Random(seed, day.number, 'slots');
  const slots: Slot[] = [];
  const length = slotMinutes * MS_PER_MINUTE;
  const bedtime = day.endMs - 90 * MS_PER_MINUTE;
  for (
    let startMs = Math.ceil(night.endMs / MS_PER_MINUTE) * MS_PER_MINUTE;
    startMs + length <= bedtime;
    startMs += length
  ) {
    const endMs = startMs + length;
    const hour = (startMs - day.startMs) / MS_PER_HOUR;
    const busy = 0.3 + 0.5 * peak(hour, 8) + 0.35 * peak(hour, 12.5) + 0.6 * peak(hour, 17.5);
    const moves = random.chance(Math.min(0.9, busy * activity));
    const carried = random.chance(0.62);
    const pace = random.between(4, 42) * activity * busy;
    let steps = moves ? Math.round(pace * slotMinutes) : 0;
    let activeKcal = slotMinutes * random.between(0.12, 0.3) + steps * 0.042;
    let phoneCarried = carried && steps > 0;
    for (const workout of workouts) {
      const overlap = Math.max(0, Math.min(endMs, workout.endMs) - Math.max(startMs, workout.startMs));
      if (overlap === 0) continue;
      const share = overlap / (workout.endMs - workout.startMs);
      steps += Math.round(workout.steps * share);
      activeKcal += workout.activeKcal * share;
      phoneCarried = phoneCarried && workout.phoneCarried;
    }
    slots.push({ startMs, endMs, steps, activeKcal, phoneCarried });
  }
  return slots;
}

function peak(hour: number, at: number): number {
  return Math.exp(-((hour - at) ** 2) / 2.2);
}
