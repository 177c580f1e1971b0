import { MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import type { GoogleSimulator } from '@healthd/simulators';
import { AWAY, dateOf, HOME, iso, placeOf, utc } from './days.js';
import { daysOf, entriesOf, seconds } from './reported.js';
import { sleepsOf } from './sleeps.js';
import { REPORTED_RUN } from './truth.js';
import { MEASURED } from './vitals.js';

type PointInput = Parameters<GoogleSimulator['control']['addPoints']>[1][number];

export function googlePoints(): PointInput[] {
  const { resting, weight } = MEASURED.google;
  const of = {
    steps: ['steps', 1],
    distance: ['distance', 1_000],
    energy: ['active-energy-burned', 1],
    basal: ['basal-energy-burned', 1],
  } as const;
  const points = daysOf('google').flatMap((reported): PointInput[] => {
    const utcOffsetSeconds = placeOf(reported.day).offsetMinutes * 60;
    const amounts = (['steps', 'distance', 'energy', 'basal'] as const).flatMap((name) =>
      (reported[name]?.pieces ?? []).map(([clock, minutes, value]): PointInput => {
        const [dataType, per] = of[name];
        const startMs = utc(reported.day, clock);
        const times = { startTime: iso(startMs), endTime: iso(startMs + minutes * MS_PER_MINUTE) };
        return { dataType, ...times, utcOffsetSeconds, value: value * per };
      }),
    );
    const rates = (reported.heart ?? []).map(
      ([clock, value]): PointInput => ({
        dataType: 'heart-rate',
        startTime: iso(utc(reported.day, clock)),
        utcOffsetSeconds,
        value,
      }),
    );
    return [...amounts, ...rates];
  });
  const nights = sleepsOf('google').map(
    ({ reported, id, startMs, endMs, minutes, asleep, offsetMinutes, stages }): PointInput => ({
      dataType: 'sleep',
      id: `7700${reported.day}`,
      startTime: iso(startMs),
      endTime: iso(endMs),
      utcOffsetSeconds: offsetMinutes * 60,
      value: {
        type: 'STAGES',
        stages: stages.map((stage) => ({
          type: stage.stage.toUpperCase(),
          startTime: iso(stage.startMs),
          endTime: iso(stage.endMs),
        })),
        metadata: { processed: true, mainSleep: true, nap: id.startsWith('nap') },
        summary: {
          minutesInSleepPeriod: seconds(endMs - startMs) / 60,
          minutesAsleep: asleep,
          minutesAwake: minutes.awake,
          minutesToFallAsleep: 0,
          minutesAfterWakeUp: 0,
        },
      },
    }),
  );
  const { start, seconds: length, meters, kcal, ascent, bpm } = REPORTED_RUN.google;
  const runMs = utc(1, start);
  const [weighed, clock, kilograms] = weight;
  return [
    ...points,
    ...nights,
    ...entriesOf(resting).map(
      ([day, value]): PointInput => ({ dataType: 'daily-resting-heart-rate', date: dateOf(day), value }),
    ),
    {
      dataType: 'weight',
      startTime: iso(utc(weighed, clock)),
      utcOffsetSeconds: AWAY.offsetMinutes * 60,
      value: kilograms * 1_000,
    },
    {
      dataType: 'exercise',
      id: '880001',
      startTime: iso(runMs),
      endTime: iso(runMs + length * MS_PER_SECOND),
      utcOffsetSeconds: HOME.offsetMinutes * 60,
      value: {
        exerciseType: 'RUNNING',
        metricsSummary: {
          caloriesKcal: kcal,
          distanceMillimeters: meters * 1_000,
          averageHeartRateBeatsPerMinute: bpm,
          elevationGainMillimeters: ascent * 1_000,
        },
      },
    },
  ];
}
