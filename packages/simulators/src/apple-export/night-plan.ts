import { MS_PER_MINUTE } from '@healthd/model';
import type { LocalDay } from '../calendar.js';
import { Random } from '../random.js';

export type NightStage = 'light' | 'deep' | 'rem' | 'awake';

/** The night that ends on a day: contiguous stages, of which the first and the last are sleep. */
export interface NightPlan {
  startMs: number;
  endMs: number;
  stages: { stage: NightStage; startMs: number; endMs: number }[];
  /** Time in bed as the phone detected it. */
  inBed: { startMs: number; endMs: number };
}

/** Plans a night of about five cycles, with early deep sleep and late REM sleep. */
export function planNight(seed: number, day: LocalDay): NightPlan {
  const random = new Random(seed, day.number, 'night');
  const startMs = day.startMs + Math.round(random.bell(-50, 30)) * MS_PER_MINUTE;
  const targetMinutes = random.bell(452, 35);
  const stages: NightPlan['stages'] = [];
  let at = startMs;
  const add = (stage: NightStage, minutes: number) => {
    const endMs = at + Math.max(1, Math.round(minutes * 2)) * 30_000;
    stages.push({ stage, startMs: at, endMs });
    at = endMs;
  };
  for (let cycle = 0; at - startMs < targetMinutes * MS_PER_MINUTE; cycle++) {
    add('light', random.bell(28, 9));
    if (cycle < 3) add('deep', random.bell(26 - 7 * cycle, 5));
    add('light', random.bell(18, 6));
    add('rem', random.bell(12 + 5 * cycle, 4));
    if (random.chance(0.55)) add('awake', random.bell(4, 2));
  }
  add('light', random.bell(9, 3));
  const before = random.integer(4, 18) * MS_PER_MINUTE;
  const after = random.integer(2, 14) * MS_PER_MINUTE;
  return { startMs, endMs: at, stages, inBed: { startMs: startMs - before, endMs: at + after } };
}
