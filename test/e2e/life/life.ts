import { dayNumber, dayStartMs, fromDayNumber, MS_PER_HOUR, MS_PER_MINUTE, ZoneOffsets } from '@healthd/model';

const zones = new ZoneOffsets();

export type LivedStage = 'light' | 'deep' | 'rem' | 'awake';

/** A night or nap as the watch recorded it: consecutive stages. */
export interface LivedSleep {
  isNap: boolean;
  stages: { stage: LivedStage; startMs: number; endMs: number }[];
}

export interface LivedWorkout {
  type: 'running' | 'yoga';
  startMs: number;
  endMs: number;
  activeKcal: number;
}

/** Series that the watch measures, in steps, beats per minute, kcal, meters and milliliters. */
export type LivedSeries = 'steps' | 'heart_rate' | 'energy' | 'distance_walking_running' | 'hydration';

export interface LivedReading {
  series: LivedSeries;
  startMs: number;
  /** Equals the start for a reading without an interval. */
  endMs: number;
  value: number;
}

/** Some days of a simulated user with one watch. */
export interface Life {
  days: { date: string; timeZone: string; sleeps: LivedSleep[]; workouts: LivedWorkout[]; readings: LivedReading[] }[];
}

/** Returns the time zone's offset from UTC in minutes. */
export function offsetIn(timeZone: string, ms: number): number {
  const offset = zones.at(timeZone, ms);
  if (offset === undefined) throw new Error(`${timeZone} is not a time zone`);
  return offset;
}

/**
 * Creates days with a night of varying length, an afternoon nap, an evening walk with steps, meters and kcal, and heart
 * rates around the clock. Every other day has a run. Every tenth day has yoga that starts in the same second as the run.
 * Two glasses of different size are recorded in one second. Nothing is random, so that failures are reproducible.
 * @param zoneOf the user's time zone on a day, counted from 0
 */
export function liveDays(days: number, firstDate = '2026-11-01', zoneOf = (_day: number) => 'Europe/Warsaw'): Life {
  const firstDay = dayNumber(firstDate) ?? Number.NaN;
  return {
    days: Array.from({ length: days }, (_, day) => {
      const timeZone = zoneOf(day);
      const noon = dayStartMs(firstDay + day) + 12 * MS_PER_HOUR;
      const midnight = dayStartMs(firstDay + day, offsetIn(timeZone, noon - offsetIn(timeZone, noon) * MS_PER_MINUTE));
      const bedtime = midnight - 90 * MS_PER_MINUTE + ((day * 37) % 120) * MS_PER_MINUTE;
      const run = { type: 'running' as const, startMs: midnight + 17 * MS_PER_HOUR, activeKcal: 300 + day };
      return {
        date: fromDayNumber(firstDay + day),
        timeZone,
        sleeps: [
          { isNap: false, stages: night(bedtime, 5 + (day % 3)) },
          {
            isNap: true,
            stages: nap(midnight + 13 * MS_PER_HOUR + ((day * 29) % 90) * MS_PER_MINUTE, 20 + (day % 4) * 10),
          },
        ],
        workouts: [
          ...(day % 2 === 0 ? [{ ...run, endMs: run.startMs + 40 * MS_PER_MINUTE }] : []),
          ...(day % 10 === 4
            ? [{ type: 'yoga' as const, startMs: run.startMs, endMs: run.startMs + 60 * MS_PER_MINUTE, activeKcal: 90 }]
            : []),
        ],
        readings: [
          ...walk(midnight + 21 * MS_PER_HOUR, day),
          ...heartRates(midnight, day),
          ...glasses(midnight + 12 * MS_PER_HOUR),
        ],
      };
    }),
  };
}

/** Returns a walk of fifty minutes: steps in one item, distance and energy in pieces. */
function walk(startMs: number, day: number): LivedReading[] {
  const piece = (series: LivedSeries, from: number, to: number, value: number) => ({
    series,
    startMs: startMs + from * MS_PER_MINUTE,
    endMs: startMs + to * MS_PER_MINUTE,
    value,
  });
  return [
    piece('steps', 0, 50, 1000 + day),
    ...[0, 10, 20, 30, 40].map((minute) => piece('distance_walking_running', minute, minute + 10, 150 + minute)),
    ...[0, 25].map((minute) => piece('energy', minute, minute + 25, 60 + day + minute)),
  ];
}

/** Returns a heart rate every two hours, from 01:30 to 23:30. */
function heartRates(midnight: number, day: number): LivedReading[] {
  return Array.from({ length: 12 }, (_, at) => {
    const startMs = midnight + (2 * at + 1) * MS_PER_HOUR + 30 * MS_PER_MINUTE + (at % 3) * 1000;
    return { series: 'heart_rate' as const, startMs, endMs: startMs, value: 55 + ((day * 5 + at * 11) % 70) };
  });
}

/** Returns two glasses that were recorded in one second. */
function glasses(atMs: number): LivedReading[] {
  return [250, 300].map((value) => ({ series: 'hydration' as const, startMs: atMs, endMs: atMs, value }));
}

/** Returns sleep cycles of an hour and a half. Each cycle except the last ends with five minutes awake. */
function night(startMs: number, cycles: number): LivedSleep['stages'] {
  const stages: LivedSleep['stages'] = [];
  let at = startMs;
  const add = (stage: LivedStage, minutes: number) => {
    stages.push({ stage, startMs: at, endMs: at + minutes * MS_PER_MINUTE });
    at += minutes * MS_PER_MINUTE;
  };
  for (let cycle = 0; cycle < cycles; cycle++) {
    add('light', 40);
    add('deep', 25);
    add('rem', 20);
    if (cycle < cycles - 1) add('awake', 5);
  }
  return stages;
}

function nap(startMs: number, minutes: number): LivedSleep['stages'] {
  return [{ stage: 'light', startMs, endMs: startMs + minutes * MS_PER_MINUTE }];
}
