import { MS_PER_SECOND } from '@healthd/model';
import type { OuraAccount } from './account.js';
import type { OuraDocument } from './wire-types.js';

/** Values that a client must read for a night or nap. */
interface TrueOuraSleep {
  id: string;
  startMs: number;
  endMs: number;
  nap: boolean;
  seconds: { awake: number; light: number; deep: number; rem: number; inBed: number };
  /** Variability values. */
  variability: number[];
  lowestHeartRate: number | undefined;
}

interface TrueOuraDay {
  date: string;
  steps: number;
  activeKcal: number;
  meters: number;
}

/** All data of an account, oldest first. */
export interface OuraTruth {
  sleeps: TrueOuraSleep[];
  days: TrueOuraDay[];
  workouts: { id: string; sport: string; startMs: number; endMs: number; kcal: number; meters: number | undefined }[];
  /** Values by category and date. */
  scores: { category: string; date: string; value: number | undefined; qualifier: string | undefined }[];
  saturations: { date: string; percent: number }[];
  heartRates: { atMs: number; bpm: number }[];
}

/** A day whose stress and recovery durations are both zero was not measured. */
function isMeasured(documents: ReadonlyMap<string, OuraDocument>, date: string): boolean {
  return [...documents.values()].some(
    ({ day, stress_high, recovery_high }) => day === date && (stress_high !== 0 || recovery_high !== 0),
  );
}

/**
 * Returns the seconds of a sleep phase. If the member is missing, counts the phase's characters in the stage string.
 */
function secondsOf(sleep: OuraDocument, member: string, phase: string): number {
  const reported = sleep[member];
  if (typeof reported === 'number') return reported;
  const phases = typeof sleep.sleep_phase_30_sec === 'string' ? sleep.sleep_phase_30_sec : '';
  const length = (Date.parse(sleep.bedtime_end as string) - Date.parse(sleep.bedtime_start as string)) / 30_000;
  return 30 * [...phases.slice(0, length)].filter((one) => one === phase).length;
}

/** Computes the expected data from the simulator's internal state, which a client cannot read. */
export function truthOf({ documents, heartRates }: OuraAccount): OuraTruth {
  const number = (document: OuraDocument, member: string) => document[member] as number;
  const at = (document: OuraDocument, member: string) => Date.parse(document[member] as string);
  const byDay = (name: keyof typeof documents) =>
    [...documents[name].values()].sort((a, b) => (a.day < b.day ? -1 : 1));
  const scores = (name: keyof typeof documents, category: string, qualifier?: string) =>
    byDay(name).map((one) => ({
      category,
      date: one.day,
      value: one.score as number | undefined,
      qualifier: (qualifier && (one[qualifier] as string | null)) ?? undefined,
    }));
  return {
    sleeps: [...documents.sleep.values()]
      .filter(({ type }) => type !== 'deleted' && type !== 'rest')
      .map((sleep) => ({
        id: sleep.id,
        startMs: at(sleep, 'bedtime_start'),
        endMs: at(sleep, 'bedtime_end'),
        // Treats a sleep with a null type as a night, because only generated nights have a null type.
        nap: sleep.type !== 'long_sleep' && sleep.type !== null,
        seconds: {
          awake: secondsOf(sleep, 'awake_time', '4'),
          light: secondsOf(sleep, 'light_sleep_duration', '2'),
          deep: secondsOf(sleep, 'deep_sleep_duration', '1'),
          rem: secondsOf(sleep, 'rem_sleep_duration', '3'),
          inBed: number(sleep, 'time_in_bed'),
        },
        variability: ((sleep.hrv as { items: (number | null)[] } | undefined)?.items ?? []).filter(
          (one) => one !== null,
        ),
        lowestHeartRate: sleep.lowest_heart_rate === 255 ? undefined : number(sleep, 'lowest_heart_rate'),
      }))
      .sort((a, b) => a.startMs - b.startMs),
    days: byDay('daily_activity').map((day) => ({
      date: day.day,
      steps: number(day, 'steps'),
      activeKcal: number(day, 'active_calories'),
      meters: number(day, 'equivalent_walking_distance'),
    })),
    workouts: [...documents.workout.values()]
      .map((workout) => ({
        id: workout.id,
        sport: workout.activity as string,
        startMs: at(workout, 'start_datetime'),
        endMs: at(workout, 'end_datetime'),
        kcal: number(workout, 'calories'),
        meters: (workout.distance as number | null) ?? undefined,
      }))
      .sort((a, b) => a.startMs - b.startMs),
    scores: [
      ...scores('daily_sleep', 'sleep'),
      ...scores('daily_readiness', 'readiness'),
      ...scores('daily_activity', 'activity'),
      ...scores('daily_stress', 'stress', 'day_summary').filter(
        ({ date, qualifier }) => qualifier !== undefined || isMeasured(documents.daily_stress, date),
      ),
      ...scores('daily_resilience', 'resilience', 'level'),
    ],
    saturations: byDay('daily_spo2').flatMap(({ day, spo2_percentage: spo2 }) => {
      const { average } = (spo2 as { average: number } | null) ?? { average: 0 };
      return average > 0 ? [{ date: day, percent: average }] : [];
    }),
    heartRates: [...heartRates.values()]
      .map(({ timestamp, bpm }) => ({ atMs: Math.floor(Date.parse(timestamp) / MS_PER_SECOND) * MS_PER_SECOND, bpm }))
      .sort((a, b) => a.atMs - b.atMs),
  };
}
