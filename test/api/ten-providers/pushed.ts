import { formatOffset, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import { payload } from '../push-payloads.js';
import { iso, placeOf, utc } from './days.js';
import { sleepsOf } from './sleeps.js';
import { REPORTED_DAYS, REPORTED_RUN, type ReportedDay } from './truth.js';
import { MEASURED } from './vitals.js';

const APPLE_WATCH = {
  appId: 'com.apple.health.7A1C',
  deviceName: 'Apple Watch',
  deviceModel: 'Watch7,3',
  deviceType: 'watch',
};
const APPLE_PHONE = {
  appId: 'com.apple.health.5F2B',
  deviceName: 'iPhone',
  deviceModel: 'iPhone15,2',
  deviceType: 'phone',
};
const GALAXY = { appId: 'com.sec.android.app.shealth', deviceName: 'Galaxy Watch8', deviceModel: 'SM-L330' };

type Names = Record<'steps' | 'distance' | 'energy' | 'basal' | 'heart', readonly [type: string, unit: string]>;
const APPLE: Names = {
  steps: ['HKQuantityTypeIdentifierStepCount', 'count'],
  distance: ['HKQuantityTypeIdentifierDistanceWalkingRunning', 'm'],
  energy: ['HKQuantityTypeIdentifierActiveEnergyBurned', 'kcal'],
  basal: ['HKQuantityTypeIdentifierBasalEnergyBurned', 'kcal'],
  heart: ['HKQuantityTypeIdentifierHeartRate', 'count/min'],
};
const ANDROID: Names = {
  steps: ['STEP_COUNT', 'count'],
  distance: ['DISTANCE', 'm'],
  energy: ['ACTIVE_CALORIES_BURNED', 'kcal'],
  basal: ['TOTAL_CALORIES_BURNED', 'kcal'],
  heart: ['HEART_RATE', 'bpm'],
};

/** Returns the iPhone's push of its own steps, the watch's data and the watch's run. */
export function applePush(): object {
  const { resting, sdnn } = MEASURED.apple;
  const vitals = [
    ...resting.map(([day, clock, value]) =>
      instant('HKQuantityTypeIdentifierRestingHeartRate', 'count/min', day, clock, value),
    ),
    ...sdnn.map(([day, clock, value]) =>
      instant('HKQuantityTypeIdentifierHeartRateVariabilitySDNN', 'ms', day, clock, value),
    ),
  ].map((item) => ({ ...item, source: APPLE_WATCH }));
  const { start, seconds, meters, kcal, ascent, bpm } = REPORTED_RUN.apple;
  const startMs = utc(1, start);
  const run = {
    id: 'apple-run',
    type: 'running',
    source: APPLE_WATCH,
    startDate: iso(startMs),
    endDate: iso(startMs + seconds * MS_PER_SECOND),
    zoneOffset: '+01:00',
    values: [
      { type: 'distance', unit: 'm', value: meters },
      { type: 'activeEnergyBurned', unit: 'kcal', value: kcal },
      { type: 'elevationAscended', unit: 'm', value: ascent },
      { type: 'averageHeartRate', unit: 'bpm', value: bpm },
    ],
  };
  const records = recordsOf('apple', APPLE, (reported) => (reported.device === 'watch' ? APPLE_WATCH : APPLE_PHONE));
  return payload('apple', { records: [...records, ...vitals], sleep: stagesOf('apple', APPLE_WATCH), workouts: [run] });
}

/** Returns a Galaxy phone's push of its watch's data. */
export function samsungPush(): object {
  const scored = stagesOf('samsung', GALAXY).map((stage) => ({
    ...stage,
    values: [{ type: 'sleepScore', value: MEASURED.samsung.sleepScores[stage.day] }],
  }));
  return payload('samsung', { records: recordsOf('samsung', ANDROID, () => GALAXY), sleep: scored });
}

function recordsOf(provider: 'apple' | 'samsung', names: Names, sourceOf: (reported: ReportedDay) => object): object[] {
  return REPORTED_DAYS.filter((reported) => reported.provider === provider).flatMap((reported) => {
    const { day, heart = [] } = reported;
    const zoneOffset = formatOffset(placeOf(day).offsetMinutes);
    const facts = { source: sourceOf(reported), zoneOffset };
    const amounts = (['steps', 'distance', 'energy', 'basal'] as const).flatMap((name) =>
      (reported[name]?.pieces ?? []).map(([clock, minutes, value]) => {
        const [type, unit] = names[name];
        const startMs = utc(day, clock);
        const endDate = iso(startMs + minutes * MS_PER_MINUTE);
        const id = `${provider} ${reported.device} ${name} ${iso(startMs)}`;
        return { id, type, unit, value, startDate: iso(startMs), endDate, ...facts };
      }),
    );
    const [type, unit] = names.heart;
    return [...amounts, ...heart.map(([clock, bpm]) => ({ ...instant(type, unit, day, clock, bpm), ...facts }))];
  });
}

function instant(type: string, unit: string, day: ReportedDay['day'], clock: string, value: number) {
  const at = iso(utc(day, clock));
  const zoneOffset = formatOffset(placeOf(day).offsetMinutes);
  return { id: `${type} ${at}`, type, unit, value, startDate: at, endDate: at, zoneOffset };
}

function stagesOf(provider: 'apple' | 'samsung', source: object) {
  return sleepsOf(provider).flatMap(({ reported, id, offsetMinutes, stages }) =>
    stages.map(({ stage, startMs, endMs }) => ({
      id: `${id} ${iso(startMs)}`,
      parentId: provider === 'samsung' ? id : null,
      day: reported.day,
      stage,
      startDate: iso(startMs),
      endDate: iso(endMs),
      zoneOffset: formatOffset(offsetMinutes),
      source,
    })),
  );
}
