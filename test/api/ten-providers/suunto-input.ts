import { formatOffset, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import type { SuuntoSimulator } from '@healthd/simulators';
import { dateOf, HOME, midnight, placeOf, utc } from './days.js';
import { daysOf } from './reported.js';
import { sleepsOf } from './sleeps.js';
import { REPORTED_RUN } from './truth.js';
import { MEASURED } from './vitals.js';

type SuuntoInput = Parameters<SuuntoSimulator['control']['put']>[1];

const JOULES_PER_KCAL = 4_184;
const DEVICE = 'Suunto Race S';
const local = (ms: number, offsetMinutes: number) =>
  `${new Date(ms + offsetMinutes * MS_PER_MINUTE).toISOString().slice(0, 19)}${formatOffset(offsetMinutes)}`;

/** Returns the data of Suunto's watch. Its sleeps contain only the sums of the stages. */
export function suuntoInput(): SuuntoInput {
  const { resting, rmssd, sleepScores, balance } = MEASURED.suunto;
  const { start, seconds, meters, kcal, ascent, bpm } = REPORTED_RUN.suunto;
  const startMs = utc(1, start);
  return {
    days: daysOf('suunto').map(({ day, steps, energy }) => ({
      date: dateOf(day),
      offsetMinutes: placeOf(day).offsetMinutes,
      device: DEVICE,
      steps: steps?.total ?? null,
      joules: energy?.total === undefined ? null : energy.total * JOULES_PER_KCAL,
    })),
    sleep: sleepsOf('suunto').map((night) => ({
      timestamp: local(night.startMs, night.offsetMinutes),
      entryData: {
        SleepId: 40 + night.reported.day,
        BedtimeStart: local(night.startMs, night.offsetMinutes),
        BedtimeEnd: local(night.endMs, night.offsetMinutes),
        Duration: (night.endMs - night.startMs) / MS_PER_SECOND,
        WakeAfterSleepOnsetDuration: night.minutes.awake * 60,
        DeepSleepDuration: night.minutes.deep * 60,
        LightSleepDuration: night.minutes.light * 60,
        REMSleepDuration: night.minutes.rem * 60,
        IsNap: false,
        HRMin: resting[night.reported.day],
        AvgHRV: rmssd[night.reported.day],
        SleepQualityScore: sleepScores[night.reported.day],
      },
    })),
    recovery: [
      {
        timestamp: local(midnight(balance.day) + 9 * 60 * MS_PER_MINUTE, placeOf(balance.day).offsetMinutes),
        entryData: { Balance: balance.percent / 100, StressState: 1 },
      },
    ],
    workouts: [
      {
        workoutKey: '66f0000000000000000000a1',
        activityId: 1,
        startTime: startMs,
        stopTime: startMs + seconds * MS_PER_SECOND,
        totalTime: seconds,
        timeOffsetInMinutes: HOME.offsetMinutes,
        totalDistance: meters,
        totalAscent: ascent,
        energyConsumption: kcal,
        hrdata: { avg: bpm, hrmax: 172 },
        gear: { manufacturer: 'Suunto', displayName: DEVICE },
      },
    ],
  };
}
