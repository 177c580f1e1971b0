import { MS_PER_SECOND } from '@healthd/model';
import type { StravaAccount } from './account.js';
import type { StravaActivity } from './wire-types.js';

/** Values that a client must read for an activity. */
interface TrueActivity {
  id: string;
  sport: string;
  startMs: number;
  endMs: number;
  offsetMinutes: number | undefined;
  meters: number | undefined;
  kcal: number | undefined;
  isPrivate: boolean;
  /** Heart rate readings, if recorded. */
  heartRates: number;
}

/** All data of an account, oldest first. */
export interface StravaTruth {
  activities: TrueActivity[];
}

function offsetOf({ utc_offset: seconds, start_date, start_date_local: local }: StravaActivity): number | undefined {
  if (seconds !== undefined) return seconds / 60;
  return typeof local === 'string' ? (Date.parse(local) - Date.parse(start_date)) / 60_000 : undefined;
}

/** Computes the expected data from the simulator's internal state, which a client cannot read. */
export function truthOf({ activities, streams }: StravaAccount): StravaTruth {
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined);
  // Prefers the vendor's calories, then the ride's work in kilojoules. 0 means unknown.
  const energy = (value: unknown) => number(value) || undefined;
  const all = [...activities.values()].map((activity) => {
    const startMs = Date.parse(activity.start_date);
    return {
      id: String(activity.id),
      sport: activity.sport_type ?? activity.type ?? '',
      startMs,
      endMs: startMs + activity.elapsed_time * MS_PER_SECOND,
      offsetMinutes: offsetOf(activity),
      meters: number(activity.distance),
      kcal: energy(activity.calories) ?? energy(activity.kilojoules),
      isPrivate: activity.visibility === 'only_me',
      heartRates: streams.get(activity.id)?.heartrate?.length ?? 0,
    };
  });
  return { activities: all.sort((a, b) => a.startMs - b.startMs) };
}
