import { MS_PER_MINUTE } from '@healthd/model';
import type { GooglePointInput } from '@healthd/simulators';
import type { Life, LivedReading, LivedSeries, LivedSleep, LivedWorkout } from './life.js';

const DATA_TYPES: Readonly<Record<LivedSeries, string>> = {
  steps: 'steps',
  heart_rate: 'heart-rate',
  energy: 'active-energy-burned',
  distance_walking_running: 'distance',
  hydration: 'hydration-log',
};

/**
 * Returns some days of a life as a vendor's cloud stores them: readings, whole sleep sessions and exercises of one
 * watch.
 */
export function asPoints(days: Life['days']): GooglePointInput[] {
  return days.flatMap(({ readings, sleeps, workouts }) => [
    ...readings.map(reading),
    ...sleeps.map(sleep),
    ...workouts.map(exercise),
  ]);
}

function reading({ series, startMs, endMs, value }: LivedReading): GooglePointInput {
  const id = `${series}-${startMs}-${value}`;
  const point = { dataType: DATA_TYPES[series], source: 'watch', startTime: iso(startMs) } as const;
  if (series === 'heart_rate') return { ...point, value: { beatsPerMinute: value } };
  // A hydration log is a session with an ID and a length.
  if (series === 'hydration')
    return { ...point, id, endTime: iso(startMs + 1000), value: { amountConsumed: { milliliters: value } } };
  return { ...point, endTime: iso(endMs), value: series === 'distance_walking_running' ? value * 1000 : value };
}

function sleep({ isNap, stages }: LivedSleep): GooglePointInput {
  const [startMs, endMs] = [stages[0]?.startMs ?? 0, stages.at(-1)?.endMs ?? 0];
  const minutes = (counts: (stage: string) => boolean) =>
    stages.reduce((sum, one) => sum + (counts(one.stage) ? (one.endMs - one.startMs) / MS_PER_MINUTE : 0), 0);
  return {
    dataType: 'sleep',
    id: `sleep-${startMs}`,
    source: 'watch',
    startTime: iso(startMs),
    endTime: iso(endMs),
    value: {
      type: 'STAGES',
      stages: stages.map((one) => ({
        type: one.stage.toUpperCase(),
        startTime: iso(one.startMs),
        endTime: iso(one.endMs),
      })),
      metadata: { processed: true, ...(isNap ? { nap: true } : { mainSleep: true }) },
      summary: {
        minutesInSleepPeriod: (endMs - startMs) / MS_PER_MINUTE,
        minutesAsleep: minutes((stage) => stage !== 'awake'),
        minutesAwake: minutes((stage) => stage === 'awake'),
      },
    },
  };
}

function exercise({ type, startMs, endMs, activeKcal }: LivedWorkout): GooglePointInput {
  return {
    dataType: 'exercise',
    id: `${type}-${startMs}`,
    source: 'watch',
    startTime: iso(startMs),
    endTime: iso(endMs),
    value: {
      exerciseType: type.toUpperCase(),
      activeDuration: `${(endMs - startMs) / 1000}s`,
      metricsSummary: { caloriesKcal: activeKcal },
    },
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
