import { MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import { head, type LifeDay, offsets } from './life-day.js';
import type { GarminItem, GarminItems, SummaryKey } from './wire-types.js';

const STAGES = ['light', 'deep', 'light', 'rem', 'awake', 'light', 'rem'] as const;
const SHARES = [0.2, 0.18, 0.2, 0.14, 0.05, 0.15, 0.08];

/**
 * Returns the night that ends on this day, with its measurements. Returns an empty object until half an hour after
 * waking.
 */
export function nightOf(life: LifeDay): Partial<Record<SummaryKey, GarminItem>> {
  const { random, day, untilMs } = life;
  const startMs = roundMinute(day.startMs + random.bell(-40, 40) * MS_PER_MINUTE);
  const lengthMs = roundMinute(random.bell(7.4, 0.7) * MS_PER_HOUR);
  const wakeMs = startMs + lengthMs;
  if (wakeMs + 30 * MS_PER_MINUTE > untilMs) return {};
  const levels = stagesOf(startMs, lengthMs);
  const seconds = (stage: string) =>
    (levels[stage] ?? []).reduce((sum, { startTimeInSeconds: a, endTimeInSeconds: b }) => sum + b - a, 0);
  const asleep = seconds('light') + seconds('deep') + seconds('rem');
  const score = random.integer(45, 98);
  const napMs = day.startMs + 14 * MS_PER_HOUR;
  const hasNap = random.chance(0.2) && napMs + MS_PER_HOUR < untilMs;
  const rmssd = random.integer(35, 80);
  const sleep: GarminItem = {
    ...head(life, 's', startMs, asleep * 1000),
    unmeasurableSleepInSeconds: 0,
    deepSleepDurationInSeconds: seconds('deep'),
    lightSleepDurationInSeconds: seconds('light'),
    remSleepInSeconds: seconds('rem'),
    awakeDurationInSeconds: seconds('awake'),
    sleepLevelsMap: levels,
    validation: 'ENHANCED_FINAL',
    timeOffsetSleepSpo2: offsets(lengthMs, 30 * MS_PER_MINUTE, () => random.integer(92, 99)),
    timeOffsetSleepRespiration: offsets(lengthMs, 30 * MS_PER_MINUTE, () => random.integer(11, 17)),
    overallSleepScore: { value: score, qualifierKey: score >= 80 ? 'GOOD' : 'FAIR' },
    sleepScores: {
      totalDuration: { qualifierKey: 'GOOD' },
      stress: { qualifierKey: 'FAIR' },
      awakeCount: { qualifierKey: 'EXCELLENT' },
    },
    ...(hasNap && {
      naps: [
        {
          napStartTimeInSeconds: napMs / 1000,
          napDurationInSeconds: random.integer(20, 55) * 60,
          napOffsetInSeconds: life.offsetMinutes * 60,
          napValidation: 'DEVICE',
        },
      ],
    }),
  };
  const measured: GarminItems = {
    hrv: [
      {
        ...head(life, 'hrv', startMs, lengthMs),
        lastNightAvg: rmssd,
        lastNight5MinHigh: rmssd + 30,
        hrvValues: offsets(lengthMs, 5 * MS_PER_MINUTE, () => rmssd + random.integer(-15, 15)),
      },
    ],
    allDayRespiration: [
      {
        ...head(life, 'r', wakeMs, 2 * MS_PER_HOUR),
        timeOffsetEpochToBreaths: offsets(2 * MS_PER_HOUR, 15 * MS_PER_MINUTE, (at) => (at === 3 ? -1 : 15)),
      },
    ],
    pulseox: [
      {
        ...head(life, 'ox', wakeMs, MS_PER_HOUR),
        onDemand: false,
        timeOffsetSpo2Values: offsets(MS_PER_HOUR, 15 * MS_PER_MINUTE, (at) => (at === 2 ? 0 : 96)),
      },
    ],
    skinTemp: [
      {
        ...head(life, 'sk', startMs, lengthMs),
        avgDeviationCelsius: Math.round(random.between(-0.8, 0.8) * 100) / 100,
      },
    ],
  };
  return { sleeps: sleep, ...Object.fromEntries(Object.entries(measured).map(([key, [item]]) => [key, item])) };
}

type Levels = Record<string, { startTimeInSeconds: number; endTimeInSeconds: number }[]>;

function stagesOf(startMs: number, lengthMs: number): Levels {
  const levels: Levels = { deep: [], light: [], rem: [], awake: [] };
  let at = startMs;
  for (const [index, stage] of STAGES.entries()) {
    const isLast = index === STAGES.length - 1;
    const end = isLast ? startMs + lengthMs : roundMinute(at + lengthMs * (SHARES[index] as number));
    levels[stage]?.push({ startTimeInSeconds: at / 1000, endTimeInSeconds: end / 1000 });
    at = end;
  }
  return levels;
}

function roundMinute(ms: number): number {
  return Math.round(ms / MS_PER_MINUTE) * MS_PER_MINUTE;
}
