import { MS_PER_DAY, MS_PER_MINUTE, type ProviderId } from '@healthd/model';
import { placeOf, utc } from './days.js';
import { REPORTED_SLEEPS, type ReportedSleep } from './truth.js';

type Stage = ReportedSleep['stages'][number][0];

/** A reported sleep with all its instants. */
export interface PlacedSleep {
  reported: ReportedSleep;
  id: string;
  startMs: number;
  endMs: number;
  offsetMinutes: number;
  stages: { stage: Stage; startMs: number; endMs: number }[];
  /** Minutes of each stage. */
  minutes: Record<Stage, number>;
  asleep: number;
}

/** Returns the sleeps that one provider reports, oldest first. */
export function sleepsOf(provider: ProviderId): PlacedSleep[] {
  return REPORTED_SLEEPS.filter((reported) => reported.provider === provider).map(placed);
}

export function placed(reported: ReportedSleep): PlacedSleep {
  const clockMs = utc(reported.day, reported.from);
  const startMs = reported.from > '20:00' ? clockMs - MS_PER_DAY : clockMs;
  const minutes = { light: 0, deep: 0, rem: 0, awake: 0 };
  const stages: PlacedSleep['stages'] = [];
  let at = startMs;
  for (const [stage, length] of reported.stages) {
    minutes[stage] += length;
    stages.push({ stage, startMs: at, endMs: at + length * MS_PER_MINUTE });
    at += length * MS_PER_MINUTE;
  }
  return {
    reported,
    id: `${reported.nap ? 'nap' : 'night'}-${reported.day}`,
    startMs,
    endMs: at,
    offsetMinutes: reported.offsetMinutes ?? placeOf(reported.day).offsetMinutes,
    stages,
    minutes,
    asleep: minutes.light + minutes.deep + minutes.rem,
  };
}
