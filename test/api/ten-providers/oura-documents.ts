import { formatOffset, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import type { OuraInput } from '@healthd/simulators';
import { type DayOfLife, dateOf, HOME, iso, midnight, placeOf, utc } from './days.js';
import { daysOf, entriesOf, seconds } from './reported.js';
import { sleepsOf } from './sleeps.js';
import { REPORTED_RUN } from './truth.js';
import { MEASURED } from './vitals.js';

const local = (ms: number, offsetMinutes: number) =>
  `${new Date(ms + offsetMinutes * MS_PER_MINUTE).toISOString().slice(0, 19)}${formatOffset(offsetMinutes)}`;

export function ouraDocuments(): OuraInput {
  const { lowest, rmssd, oxygen, sleepScores, readiness, activityScores } = MEASURED.oura;
  const phase = { deep: '1', light: '2', rem: '3', awake: '4' } as const;
  const dated = (what: string, day: DayOfLife) => ({ id: `${what}-${day}`, day: dateOf(day) });
  const { start, seconds: length, meters, kcal } = REPORTED_RUN.oura;
  const runMs = utc(1, start);
  return {
    sleep: sleepsOf('oura').map(({ reported, id, startMs, endMs, offsetMinutes, minutes, asleep, stages }) => ({
      id,
      day: dateOf(reported.day),
      type: reported.nap ? 'late_nap' : 'long_sleep',
      period: 0,
      bedtime_start: local(startMs, reported.day === 3 ? HOME.offsetMinutes : offsetMinutes),
      bedtime_end: local(endMs, offsetMinutes),
      time_in_bed: seconds(endMs - startMs),
      total_sleep_duration: asleep * 60,
      awake_time: minutes.awake * 60,
      deep_sleep_duration: minutes.deep * 60,
      light_sleep_duration: minutes.light * 60,
      rem_sleep_duration: minutes.rem * 60,
      efficiency: Math.round((100 * asleep * MS_PER_MINUTE) / (endMs - startMs)),
      lowest_heart_rate: reported.nap ? null : lowest[reported.day],
      hrv: { interval: 300, items: [null, ...(rmssd[reported.day] ?? [])], timestamp: local(startMs, offsetMinutes) },
      sleep_phase_5_min: stages
        .map(({ stage, startMs: from, endMs: to }) => phase[stage].repeat((to - from) / (5 * MS_PER_MINUTE)))
        .join(''),
    })),
    daily_activity: daysOf('oura').map(({ day, steps, distance, energy, basal, activeMinutes }) => ({
      ...dated('activity', day),
      timestamp: local(midnight(day) + 240 * MS_PER_MINUTE, placeOf(day).offsetMinutes),
      score: activityScores[day] ?? null,
      steps: steps?.total,
      active_calories: energy?.total,
      total_calories: (energy?.total ?? 0) + (basal?.total ?? 0),
      equivalent_walking_distance: distance?.total,
      ...(activeMinutes !== undefined && {
        low_activity_time: activeMinutes * 60,
        medium_activity_time: 0,
        high_activity_time: 0,
      }),
    })),
    daily_sleep: entriesOf(sleepScores).map(([day, score]) => ({ ...dated('sleep', day), score })),
    daily_readiness: entriesOf(readiness).map(([day, score]) => ({ ...dated('readiness', day), score })),
    daily_spo2: entriesOf(oxygen).map(([day, average]) => ({ ...dated('spo2', day), spo2_percentage: { average } })),
    heartrate: daysOf('oura').flatMap(({ day, heart = [] }) =>
      heart.map(([clock, bpm]) => ({ timestamp: iso(utc(day, clock)), bpm, source: 'awake' as const })),
    ),
    workout: [
      {
        id: 'oura-run',
        day: dateOf(1),
        activity: 'running',
        calories: kcal,
        distance: meters,
        start_datetime: local(runMs, HOME.offsetMinutes),
        end_datetime: local(runMs + length * MS_PER_SECOND, HOME.offsetMinutes),
        intensity: 'moderate',
        label: null,
        source: 'autodetected',
      },
    ],
  };
}
