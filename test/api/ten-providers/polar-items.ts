import { formatOffset, MS_PER_MINUTE } from '@healthd/model';
import type { PolarSimulator } from '@healthd/simulators';
import { dateOf, HOME, utc } from './days.js';
import { daysOf } from './reported.js';
import { sleepsOf } from './sleeps.js';
import { REPORTED_RUN } from './truth.js';
import { MEASURED } from './vitals.js';

type PolarInput = Parameters<PolarSimulator['control']['put']>[1];

const CODES = { awake: 0, rem: 1, light: 2, deep: 4 } as const;
const wall = (ms: number) => new Date(ms + HOME.offsetMinutes * MS_PER_MINUTE).toISOString().slice(0, 19);

/** Returns Polar's items with local times and, if known, their offsets. */
export function polarItems(): PolarInput {
  const { recharge, sleepScores } = MEASURED.polar;
  const { start, seconds: length, meters, kcal, bpm } = REPORTED_RUN.polar;
  const offset = formatOffset(HOME.offsetMinutes);
  return {
    activities: daysOf('polar').map(({ day, steps, distance, energy, basal, activeMinutes }) => ({
      start_time: `${dateOf(day)}T00:00:00`,
      end_time: `${dateOf(day)}T23:59:59`,
      active_duration: `PT${activeMinutes}M`,
      calories: (energy?.total ?? 0) + (basal?.total ?? 0),
      active_calories: energy?.total,
      steps: steps?.total,
      distance_from_steps: distance?.total,
    })),
    sleep: sleepsOf('polar').map(({ reported, startMs, endMs, minutes, stages }) => ({
      date: dateOf(reported.day),
      sleep_start_time: `${wall(startMs)}${offset}`,
      sleep_end_time: `${wall(endMs)}${offset}`,
      light_sleep: minutes.light * 60,
      deep_sleep: minutes.deep * 60,
      rem_sleep: minutes.rem * 60,
      total_interruption_duration: minutes.awake * 60,
      sleep_score: sleepScores[reported.day],
      hypnogram: Object.fromEntries(stages.map((one) => [wall(one.startMs).slice(11, 16), CODES[one.stage]])),
    })),
    recharges: [
      {
        date: dateOf(recharge.day),
        heart_rate_avg: recharge.heart,
        heart_rate_variability_avg: recharge.rmssd,
        nightly_recharge_status: recharge.status,
      },
    ],
    exercises: [
      {
        id: 'polarrun',
        upload_time: new Date(utc(1, '18:00')).toISOString(),
        start_time: wall(utc(1, start)),
        start_time_utc_offset: HOME.offsetMinutes,
        duration: `PT${length}S`,
        sport: 'RUNNING',
        detailed_sport_info: 'RUNNING',
        distance: meters,
        calories: kcal,
        heart_rate: { average: bpm, maximum: 170 },
      },
    ],
  };
}
