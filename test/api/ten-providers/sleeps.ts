import { MS_PER_DAY, MS_PER_MINUTE, type ProviderId } from '@healthd/model';
import { placeOf, utc } from './days.js';
import { TOLD_SLEEPS, type ToldSleep } from './truth.js';

type Stage = ToldSleep['stages'][number][0];

/** A told sleep with all its instants. */
export interface PlacedSleep {
  told: ToldSleep;
  id: string;
  startMs: number;
  endMs: number;
  offsetMinutes: number;
  stages: { stage: Stage; startMs: number; endMs: number }[];
  /** Minutes of each stage. */
  minutes: Record<Stage, number>;
  asleep: number;
}

/** The sleeps that one provider tells, oldest first. */
export function sleepsOf(provider: ProviderId): PlacedSleep[] {
  return TOLD_SLEEPS.filter((told) => told.provider === provider).map(placed);
}

export function placed(told: ToldSleep): PlacedSleep {
  const clockMs = utc(told.day, told.from);
  const startMs = told.from > '20:00' ? clockMs - MS_PER_DAY : clockMs;
  const minutes = { light: 0, deep: 0, rem: 0, awake: 0 };
  const stages: PlacedSleep['stages'] = [];
  let at = startMs;
  for (const [stage, length] of told.stages) {
    minutes[stage] += length;
    stages.push({ stage, startMs: at, endMs: at + length * MS_PER_MINUTE });
    at += length * MS_PER_MINUTE;
  }
  return {
    told,
    id: `${told.nap ? 'nap' : 'night'}-${told.day}`,
    startMs,
    endMs: at,
    offsetMinutes: told.offsetMinutes ?? placeOf(told.day).offsetMinutes,
    stages,
    minutes,
    asleep: minutes.light + minutes.deep + minutes.rem,
  };
}
