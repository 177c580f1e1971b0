import { MS_PER_MINUTE } from '@healthd/model';
import type { WhoopAccount } from './account.js';

/** Values that a client must read for a sleep. Minutes are the vendor's sums; undefined until the sleep is scored. */
export interface TrueSleepNight {
  id: string;
  startMs: number;
  endMs: number;
  offsetMinutes: number;
  nap: boolean;
  minutes?: { inBed: number; awake: number; light: number; deep: number; rem: number | undefined };
  performance?: number;
  respiratoryRate?: number;
}

export interface TrueRecovery {
  sleepId: string;
  /** Waking. */
  atMs: number;
  score: number;
  restingHeartRate: number;
  rmssdMilliseconds: number;
  saturationPercent?: number;
  skinCelsius?: number;
}

export interface TrueWorkout {
  id: string;
  sport: string;
  startMs: number;
  endMs: number;
  strain?: number;
  kilojoule?: number;
  distanceMeters?: number;
  averageHeartRate?: number;
}

export interface TrueCycle {
  id: number;
  strain: number;
  kilojoule: number;
}

/** All data of an account, oldest first. Includes only scored recoveries and finished cycles. */
export interface WhoopTruth {
  sleeps: TrueSleepNight[];
  recoveries: TrueRecovery[];
  workouts: TrueWorkout[];
  cycles: TrueCycle[];
}

/** Computes the expected data from the simulator's internal state, which a client cannot read. */
export function truthOf({ sleeps, recoveries, workouts, cycles }: WhoopAccount): WhoopTruth {
  const byStart = <Item extends { start: string }>(items: Iterable<Item>) =>
    [...items].sort((a, b) => Date.parse(a.start) - Date.parse(b.start));
  return {
    sleeps: byStart(sleeps.values()).map((sleep) => {
      const scored = sleep.score_state === 'SCORED' ? sleep.score : undefined;
      const minutes = (stage: string) => (scored?.stage_summary[`total_${stage}_milli`] ?? 0) / MS_PER_MINUTE;
      return {
        id: sleep.id,
        startMs: Date.parse(sleep.start),
        endMs: Date.parse(sleep.end),
        offsetMinutes: offsetOf(sleep.timezone_offset),
        nap: sleep.nap,
        ...(scored && {
          minutes: {
            inBed: minutes('in_bed_time'),
            awake: minutes('awake_time'),
            light: minutes('light_sleep_time'),
            deep: minutes('slow_wave_sleep_time'),
            rem: scored.stage_summary.total_rem_sleep_time_milli === null ? undefined : minutes('rem_sleep_time'),
          },
          performance: scored.sleep_performance_percentage,
          respiratoryRate: scored.respiratory_rate,
        }),
      };
    }),
    recoveries: byStart(sleeps.values()).flatMap(({ id, end }) => {
      const { score, score_state } = recoveries.get(id) ?? {};
      if (!score || score_state !== 'SCORED') return [];
      return [
        {
          sleepId: id,
          atMs: Date.parse(end),
          score: score.recovery_score,
          restingHeartRate: score.resting_heart_rate,
          rmssdMilliseconds: score.hrv_rmssd_milli,
          saturationPercent: score.spo2_percentage,
          skinCelsius: score.skin_temp_celsius,
        },
      ];
    }),
    workouts: byStart(workouts.values()).map((workout) => {
      const scored = workout.score_state === 'SCORED' ? workout.score : undefined;
      return {
        id: workout.id,
        sport: workout.sport_name ?? '',
        startMs: Date.parse(workout.start),
        endMs: Date.parse(workout.end),
        strain: scored?.strain,
        kilojoule: scored?.kilojoule,
        distanceMeters: scored?.distance_meter,
        averageHeartRate: scored?.average_heart_rate,
      };
    }),
    cycles: byStart(cycles.values()).flatMap(({ id, end, score, score_state }) =>
      end && score && score_state === 'SCORED' ? [{ id, strain: score.strain, kilojoule: score.kilojoule }] : [],
    ),
  };
}

function offsetOf(text: string): number {
  if (text === 'Z') return 0;
  const [hours = 0, minutes = 0] = text.slice(1).split(':').map(Number);
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
