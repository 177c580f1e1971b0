import { MS_PER_MINUTE } from '@healthd/model';
import type { Life, LivedReading, LivedSeries, LivedSleep } from './life.js';

/** Returns the expected summaries of a life, however it arrived. */
export function truthOf(life: Life) {
  return {
    nights: life.days.map(({ date, sleeps }) => {
      const total = (isNap: boolean) =>
        sleeps.filter((sleep) => sleep.isNap === isNap).reduce((sum, sleep) => sum + asleepMinutes(sleep), 0);
      return {
        date,
        duration_minutes: total(false),
        nap_count: sleeps.filter(({ isNap }) => isNap).length,
        nap_duration_minutes: total(true),
      };
    }),
    activity: life.days.map(({ date, readings }) => {
      const values = (series: LivedSeries) => readings.filter((one) => one.series === series).map(({ value }) => value);
      const sum = (series: LivedSeries) => values(series).reduce((total, value) => total + value, 0);
      const beats = values('heart_rate');
      return {
        date,
        steps: sum('steps'),
        distance_meters: sum('distance_walking_running'),
        active_calories_kcal: sum('energy'),
        heart_rate: {
          avg_bpm: Math.round(sum('heart_rate') / beats.length),
          max_bpm: Math.max(...beats),
          min_bpm: Math.min(...beats),
        },
      };
    }),
    samples: life.days
      .flatMap(({ readings }) => readings)
      .map(({ series, startMs, value }: LivedReading) => `${series} ${iso(startMs)} ${value}`)
      .sort(),
    workouts: life.days
      .flatMap(({ workouts }) => workouts)
      .map(({ type, startMs, endMs, activeKcal }) => ({
        type,
        start_time: iso(startMs),
        end_time: iso(endMs),
        calories_kcal: activeKcal,
      }))
      .sort(byStartAndType),
  };
}

/** Sorts as the truth's workouts are sorted. Workouts that start in one second are sorted by type. */
export function byStartAndType(a: { start_time: string; type: string }, b: { start_time: string; type: string }) {
  return `${a.start_time} ${a.type}` < `${b.start_time} ${b.type}` ? -1 : 1;
}

function asleepMinutes({ stages }: LivedSleep): number {
  return stages
    .filter(({ stage }) => stage !== 'awake')
    .reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / MS_PER_MINUTE, 0);
}

function iso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
