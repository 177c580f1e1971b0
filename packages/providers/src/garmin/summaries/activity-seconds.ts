import type { SampleRecord, SeriesCode } from '@healthd/model';
import { z } from 'zod';
import type { LongList } from '../../cloud/index.js';
import { isObject, type PayloadOf, readPayload } from '../../payload/index.js';
import { msOf, type Place } from './place.js';
import { sample } from './samples.js';

/** A recorded second of an activity. */
export const SECOND = z.object({
  startTimeInSeconds: z.number(),
  heartRate: z.number(),
  speedMetersPerSecond: z.number(),
  stepsPerMinute: z.number(),
  bikeCadenceInRPM: z.number(),
  swimCadenceInStrokesPerMinute: z.number(),
  powerInWatts: z.number(),
  elevationInMeters: z.number(),
  latitudeInDegree: z.number(),
  longitudeInDegree: z.number(),
  /** The vendor's spelling. */
  airTemperatureCelcius: z.number(),
  airTemperatureCelsius: z.number(),
  movingDurationInSeconds: z.number(),
});
export type Second = PayloadOf<typeof SECOND>;

/** Members of a recorded second and their series. Cadence has a separate member for each sport. */
const SERIES: readonly { members: readonly (keyof Second)[]; code: SeriesCode; onlyPositive?: true }[] = [
  { members: ['heartRate'], code: 'heart_rate', onlyPositive: true },
  { members: ['speedMetersPerSecond'], code: 'speed' },
  { members: ['stepsPerMinute', 'bikeCadenceInRPM', 'swimCadenceInStrokesPerMinute'], code: 'cadence' },
  { members: ['powerInWatts'], code: 'power' },
  { members: ['elevationInMeters'], code: 'elevation' },
  { members: ['latitudeInDegree'], code: 'latitude' },
  { members: ['longitudeInDegree'], code: 'longitude' },
  { members: ['airTemperatureCelcius', 'airTemperatureCelsius'], code: 'air_temperature' },
];

/** Series of recorded seconds. */
export const SECONDS_SERIES: readonly SeriesCode[] = SERIES.map(({ code }) => code);

/** Returns the samples of an activity's seconds. @param id common id of the activity's samples */
export function samplesOf(seconds: readonly Second[], { offsetMinutes }: Place, id: string): SampleRecord[] {
  const found: SampleRecord[] = [];
  for (const second of seconds) {
    const startMs = msOf(second.startTimeInSeconds);
    if (startMs === undefined) continue;
    for (const { members, code, onlyPositive } of SERIES) {
      const value = members.map((member) => second[member]).find((one) => one !== undefined);
      if (value === undefined || (onlyPositive && value <= 0)) continue;
      found.push(sample({ code, value, startMs, offsetMinutes, id }));
    }
  }
  return found;
}

/** Facts about the whole activity from its seconds. A member is missing if no second has its value. */
export type SecondsFacts = Readonly<{
  lowestHeartRate?: number;
  wattsSum?: number;
  wattsCount?: number;
  mostWatts?: number;
  lowestMeters?: number;
  highestMeters?: number;
  longestMoving?: number;
}>;

/** Activities have a value for each of up to 100,000 seconds, so their details are large items. */
export const SECONDS_OF_ACTIVITY: LongList = {
  member: 'samples',
  condense: (elements, soFar) =>
    factsOf(
      elements.filter(isObject).map((element) => readPayload(SECOND, element, () => undefined)),
      soFar,
    ),
};

/** Adds the facts of more seconds. */
export function factsOf(seconds: readonly Second[], soFar: SecondsFacts): SecondsFacts {
  const facts = { ...soFar };
  for (const second of seconds) {
    const heartRate = second.heartRate ?? 0;
    if (heartRate > 0) facts.lowestHeartRate = Math.min(facts.lowestHeartRate ?? heartRate, heartRate);
    const watts = second.powerInWatts;
    if (watts !== undefined) {
      facts.wattsSum = (facts.wattsSum ?? 0) + watts;
      facts.wattsCount = (facts.wattsCount ?? 0) + 1;
      facts.mostWatts = Math.max(facts.mostWatts ?? watts, watts);
    }
    const meters = second.elevationInMeters;
    if (meters !== undefined) {
      facts.lowestMeters = Math.min(facts.lowestMeters ?? meters, meters);
      facts.highestMeters = Math.max(facts.highestMeters ?? meters, meters);
    }
    const moving = second.movingDurationInSeconds;
    if (moving !== undefined) facts.longestMoving = Math.max(facts.longestMoving ?? moving, moving);
  }
  return facts;
}

/** Mean power in watts over the seconds with a value. */
export function averageWatts({ wattsSum, wattsCount }: SecondsFacts): number | undefined {
  return wattsCount === undefined ? undefined : (wattsSum ?? 0) / wattsCount;
}
