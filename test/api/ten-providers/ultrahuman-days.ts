import { MS_PER_MINUTE } from '@healthd/model';
import type { UltrahumanDay } from '@healthd/simulators';
import { DAYS, type DayOfLife, dateOf, midnight, utc } from './days.js';
import { daysOf, seconds } from './reported.js';
import { sleepsOf } from './sleeps.js';
import { MEASURED } from './vitals.js';

export function ultrahumanDays(): UltrahumanDay[] {
  const { resting, rmssd, oxygen, recovery, sleepScores, movement } = MEASURED.ultrahuman;
  const readings = (day: DayOfLife, values: typeof rmssd) =>
    values.filter(([on]) => on === day).map(([, clock, value]) => ({ timestamp: seconds(utc(day, clock)), value }));
  return DAYS.map((day) => {
    const reported = daysOf('ultrahuman').find((one) => one.day === day);
    const night = sleepsOf('ultrahuman').find((one) => one.reported.day === day);
    return {
      date: dateOf(day),
      dayStart: seconds(midnight(day)),
      heartRate: [],
      variability: readings(day, rmssd),
      temperature: [],
      saturation: readings(day, oxygen),
      steps: (reported?.steps?.pieces ?? []).map(([clock, , value]) => ({
        timestamp: seconds(utc(day, clock)),
        value,
      })),
      glucose: [],
      activeMinutes: reported?.activeMinutes ?? 0,
      vo2Max: 0,
      recovery: recovery[day],
      movement: movement[day] ?? 0,
      restingHeartRate: resting[day],
      ...(night && {
        sleep: {
          start: seconds(night.startMs),
          end: seconds(night.endMs),
          stages: night.stages.map(({ stage, startMs, endMs }) => ({
            start: seconds(startMs),
            end: seconds(endMs),
            type: stage,
          })),
          efficiency: Math.round((100 * night.asleep * MS_PER_MINUTE) / (night.endMs - night.startMs)),
          score: sleepScores[day] ?? 0,
          temperatureDeviation: 0.1,
        },
      }),
    };
  });
}
