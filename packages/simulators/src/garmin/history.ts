import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import { Calendar } from '../calendar.js';
import { Random } from '../random.js';
import { activityOf } from './history-activity.js';
import { nightOf } from './history-night.js';
import { head, type LifeDay, offsets } from './life-day.js';
import type { GarminItem, GarminItems, SummaryKey } from './wire-types.js';

/** Amount of generated data. */
export interface GarminHistoryOptions {
  /** Default 1. */
  seed?: number;
  /** Local days including the current one. Default 30. */
  days?: number;
}

const EPOCH_MS = 15 * MS_PER_MINUTE;
const HEART_RATE_EVERY_MS = 5 * MS_PER_MINUTE;
const STRESS_EVERY_MS = 15 * MS_PER_MINUTE;
const CYCLE_DAYS = 28;

/**
 * Generates data until now: days, nights, activities and all measurements of a watch and a scale. The same seed and end
 * yield the same summaries.
 */
export function madeUpLife(
  { timeZone, hasCycles }: { timeZone: string; hasCycles: boolean },
  nowMs: number,
  { seed = 1, days = 30 }: GarminHistoryOptions,
): GarminItems {
  const calendar = new Calendar(timeZone);
  const today = calendar.dateOf(nowMs);
  const life: GarminItems = {};
  const add = (key: SummaryKey, item: GarminItem | undefined) => {
    if (item === undefined) return;
    const list = life[key] ?? [];
    life[key] = list;
    list.push(item);
  };
  for (let back = days - 1; back >= 0; back--) {
    const day = calendar.day(today, -back);
    const untilMs = Math.min(day.endMs, nowMs);
    // At midnight the new day has no summary yet.
    if (untilMs <= day.startMs) continue;
    const lifeDay: LifeDay = {
      random: new Random(seed, day.number, 'day'),
      day,
      untilMs,
      offsetMinutes: calendar.offsetAt(day.startMs),
      id: `x${seed}`,
    };
    addDay(lifeDay, seed, add);
    if (hasCycles && day.number % CYCLE_DAYS === seed % CYCLE_DAYS) add('mct', cycleOf(lifeDay));
  }
  return life;
}

function addDay(life: LifeDay, seed: number, add: (key: SummaryKey, item: GarminItem | undefined) => void): void {
  const { day, untilMs, random } = life;
  const part = (purpose: string) => ({ ...life, random: new Random(seed, day.number, purpose) });
  const hours = (untilMs - day.startMs) / MS_PER_HOUR;
  for (const item of epochsOf(part('epochs'))) add('epochs', item);
  add('dailies', dailyOf(part('daily')));
  const night = nightOf(part('night'));
  for (const [key, item] of Object.entries(night) as [SummaryKey, GarminItem][]) add(key, item);
  add('stressDetails', stressOf(part('stress')));
  if (hours > 8) {
    add('userMetrics', metricsOf(part('metrics')));
    if (random.chance(0.3)) add('bodyComps', scaleOf(part('scale')));
    if (random.chance(0.2)) add('bloodPressures', pressureOf(part('pressure')));
    if (random.chance(0.2)) add('healthSnapshot', snapshotOf(part('snapshot')));
  }
  if (hours > 19 && random.chance(0.6)) {
    const { summary, details, isManual } = activityOf(part('activity'));
    add(isManual ? 'manuallyUpdatedActivities' : 'activities', summary);
    add('activityDetails', details);
  }
  if (hours > 20 && random.chance(0.2)) add('moveIQActivities', moveOf(part('move')));
}

/** Returns the current state of the day, which is redelivered as it grows. */
function dailyOf(life: LifeDay): GarminItem {
  const { random, day, untilMs } = life;
  const lengthMs = untilMs - day.startMs;
  const share = lengthMs / MS_PER_DAY;
  const amount = (low: number, high: number) => Math.round(random.between(low, high) * share);
  const [steps, kilocalories, floors, minutes] = [
    amount(4_000, 14_000),
    amount(200, 900),
    amount(2, 20),
    amount(30, 120),
  ] as [number, number, number, number];
  const resting = random.integer(44, 60);
  const stress = random.integer(15, 60);
  return {
    ...head(life, 'd', day.startMs, lengthMs),
    activityType: 'WALKING',
    steps,
    pushes: 0,
    distanceInMeters: Math.round(steps * 0.74 * 10) / 10,
    activeTimeInSeconds: minutes * 60,
    activeKilocalories: kilocalories,
    bmrKilocalories: Math.round(1_700 * share),
    floorsClimbed: floors,
    averageHeartRateInBeatsPerMinute: 63,
    restingHeartRateInBeatsPerMinute: resting,
    timeOffsetHeartRateSamples: offsets(lengthMs, HEART_RATE_EVERY_MS, () => resting + random.integer(2, 40)),
    averageStressLevel: random.chance(0.05) ? -1 : stress,
    maxStressLevel: stress + 30,
    stressDurationInSeconds: amount(10_000, 30_000),
    restStressDurationInSeconds: amount(10_000, 30_000),
    stressQualifier: random.chance(0.5) ? 'balanced' : 'very_stressful_awake',
    moderateIntensityDurationInSeconds: 1_800,
    vigorousIntensityDurationInSeconds: 600,
  };
}

/** Returns slots with one or two movement types. */
function epochsOf(life: LifeDay): GarminItem[] {
  const { random, day, untilMs } = life;
  const found: GarminItem[] = [];
  for (let startMs = day.startMs; startMs + EPOCH_MS <= untilMs; startMs += EPOCH_MS) {
    if (!random.chance(0.12)) continue;
    const kinds = random.chance(0.3) ? ['WALKING', 'RUNNING'] : ['WALKING'];
    for (const kind of kinds) {
      const steps = random.integer(20, 900);
      found.push({
        ...head(life, `e${kind}`, startMs, EPOCH_MS),
        activityType: kind,
        activeTimeInSeconds: random.integer(60, 900),
        steps,
        distanceInMeters: Math.round(steps * 7.4) / 10,
        activeKilocalories: random.integer(1, 60),
        met: 3.2,
        intensity: 'ACTIVE',
      });
    }
  }
  return found;
}

function stressOf(life: LifeDay): GarminItem {
  const { random, day, untilMs } = life;
  const lengthMs = untilMs - day.startMs;
  return {
    ...head(life, 'st', day.startMs, lengthMs),
    timeOffsetStressLevelValues: offsets(lengthMs, STRESS_EVERY_MS, () =>
      random.chance(0.1) ? -random.integer(1, 5) : random.integer(1, 99),
    ),
    timeOffsetBodyBatteryValues: offsets(lengthMs, STRESS_EVERY_MS, () => random.integer(5, 100)),
    bodyBatteryActivityEvents: [
      { eventType: 'SLEEP', eventStartTimeInSeconds: -1, duration: 26_400_000, bodyBatteryImpact: 54 },
    ],
  };
}

function metricsOf({ random, day, id }: LifeDay): GarminItem {
  return {
    summaryId: `${id}-um-${day.number}`,
    calendarDate: day.date,
    vo2Max: random.integer(40, 55),
    vo2MaxCycling: 48,
    fitnessAge: random.integer(25, 45),
    enhanced: true,
  };
}

function scaleOf({ random, day, id, offsetMinutes }: LifeDay): GarminItem {
  return {
    summaryId: `${id}-bc-${day.number}`,
    measurementTimeInSeconds: (day.startMs + 7 * MS_PER_HOUR) / 1000,
    measurementTimeOffsetInSeconds: offsetMinutes * 60,
    weightInGrams: random.integer(70_000, 74_000),
    bodyFatInPercent: Math.round(random.between(15, 20) * 10) / 10,
    bodyMassIndex: 22.4,
    muscleMassInGrams: random.integer(31_000, 33_000),
    boneMassInGrams: 4_100,
    bodyWaterInPercent: 58.2,
  };
}

function pressureOf({ random, day, id, offsetMinutes }: LifeDay): GarminItem {
  return {
    summaryId: `${id}-bp-${day.number}`,
    measurementTimeInSeconds: (day.startMs + 8 * MS_PER_HOUR) / 1000,
    measurementTimeOffsetInSeconds: offsetMinutes * 60,
    systolic: random.integer(108, 132),
    diastolic: random.integer(66, 86),
    pulse: random.integer(54, 72),
    sourceType: 'MANUAL',
  };
}

function snapshotOf(life: LifeDay): GarminItem {
  const { random, day, offsetMinutes } = life;
  const { startTimeOffsetInSeconds: _, ...begin } = head(life, 'hs', day.startMs + 9 * MS_PER_HOUR, 2 * MS_PER_MINUTE);
  const one = (summaryType: string, avgValue: number) => ({ summaryType, minValue: 1, maxValue: 199, avgValue });
  return {
    ...begin,
    offsetStartTimeInSeconds: offsetMinutes * 60,
    summaries: [
      one('heart_rate', random.integer(52, 66)),
      one('respiration', 14.1),
      one('stress', random.integer(5, 40)),
      one('spo2', 97),
      one('rmssd_hrv', random.integer(30, 80)),
      one('sdrr_hrv', random.integer(40, 90)),
    ],
  };
}

function moveOf(life: LifeDay): GarminItem {
  return { ...head(life, 'mv', life.day.startMs + 17 * MS_PER_HOUR, 12 * MS_PER_MINUTE), activityType: 'Walking' };
}

/** Returns a cycle that starts on this day. */
function cycleOf({ day, id }: LifeDay): GarminItem {
  return {
    summaryId: `${id}-mct-${day.date}`,
    periodStartDate: day.date,
    dayInCycle: 1,
    periodLength: 5,
    currentPhase: 1,
    currentPhaseType: 'MENSTRUAL',
    lengthOfCurrentPhase: 5,
    daysUntilNextPhase: 5,
    predictedCycleLength: CYCLE_DAYS,
    isPredictedCycle: false,
    cycleLength: CYCLE_DAYS,
    fertileWindowStart: 11,
    lengthOfFertileWindow: 6,
    lastUpdatedTimeInSeconds: (day.startMs + 10 * MS_PER_HOUR) / 1000,
    hasSpecifiedCycleLength: true,
    hasSpecifiedPeriodLength: true,
    pregnancySnapshot: null,
  };
}
