import type { Account } from './account.js';
import type { GarminItem } from './wire-types.js';

/** Values that a client must read for a day. */
interface TrueGarminDay {
  date: string;
  startMs: number;
  steps: number;
  meters: number;
  kilocalories: number;
  basalKilocalories: number;
  floors: number;
  activeMinutes: number;
  restingHeartRate: number;
  heartRates: number;
  /** Undefined if the vendor reports no stress. */
  stress: number | undefined;
  /** Highest value of the day. */
  bodyBattery: number | undefined;
}

interface TrueGarminNight {
  startMs: number;
  endMs: number;
  asleepMinutes: number;
  awakeMinutes: number;
  score: number;
}

interface TrueGarminNap {
  startMs: number;
  endMs: number;
}

interface TrueGarminActivity {
  id: string;
  sport: string;
  startMs: number;
  endMs: number;
  meters: number;
  kilocalories: number;
  isManual: boolean;
  laps: number;
}

/** All data of an account, oldest first. */
export interface GarminTruth {
  days: TrueGarminDay[];
  nights: TrueGarminNight[];
  naps: TrueGarminNap[];
  activities: TrueGarminActivity[];
  /** Steps in slots of up to 15 minutes, all movement types together. */
  epochSteps: number;
  /** Nightly averages in milliseconds. */
  nightlyRmssd: { atMs: number; value: number }[];
  /** Kilograms. */
  weights: { atMs: number; value: number }[];
  cycles: { date: string; days: number }[];
}

const seconds = (item: GarminItem, member: string) => Number(item[member] ?? 0);
const startOf = (item: GarminItem) => seconds(item, 'startTimeInSeconds') * 1000;
const oldestFirst = <Row>(rows: Row[], at: (row: Row) => number) => rows.sort((a, b) => at(a) - at(b));

/** Computes the expected data from the simulator's internal state, which a client cannot read. */
export function truthOf(account: Account): GarminTruth {
  const sleeps = account.items('sleeps');
  const details = new Map(account.items('activityDetails').map((item) => [item.activityId, item]));
  return {
    days: oldestFirst(
      account.items('dailies').map((item) => dayOf(account, item)),
      ({ startMs }) => startMs,
    ),
    nights: oldestFirst(sleeps.map(nightOf), ({ startMs }) => startMs),
    naps: oldestFirst(
      sleeps.flatMap(({ naps }) =>
        ((naps ?? []) as GarminItem[]).map((nap) => {
          const startMs = seconds(nap, 'napStartTimeInSeconds') * 1000;
          return { startMs, endMs: startMs + seconds(nap, 'napDurationInSeconds') * 1000 };
        }),
      ),
      ({ startMs }) => startMs,
    ),
    activities: oldestFirst(
      [...account.items('activities'), ...account.items('manuallyUpdatedActivities')].map((item) => ({
        id: String(item.activityId),
        sport: String(item.activityType),
        startMs: startOf(item),
        endMs: startOf(item) + seconds(item, 'durationInSeconds') * 1000,
        meters: seconds(item, 'distanceInMeters'),
        kilocalories: seconds(item, 'activeKilocalories'),
        isManual: item.manual === true,
        laps: ((details.get(item.activityId)?.laps ?? []) as unknown[]).length,
      })),
      ({ startMs }) => startMs,
    ),
    epochSteps: account.items('epochs').reduce((sum, item) => sum + seconds(item, 'steps'), 0),
    nightlyRmssd: oldestFirst(
      account.items('hrv').map((item) => ({
        atMs: startOf(item) + (seconds(item, 'durationInSeconds') - 1) * 1000,
        value: seconds(item, 'lastNightAvg'),
      })),
      ({ atMs }) => atMs,
    ),
    weights: oldestFirst(
      account.items('bodyComps').map((item) => ({
        atMs: seconds(item, 'measurementTimeInSeconds') * 1000,
        value: seconds(item, 'weightInGrams') / 1000,
      })),
      ({ atMs }) => atMs,
    ),
    cycles: account
      .items('mct')
      .map((item) => ({ date: String(item.periodStartDate), days: seconds(item, 'cycleLength') }))
      .sort((a, b) => a.date.localeCompare(b.date)),
  };
}

function dayOf(account: Account, item: GarminItem): TrueGarminDay {
  const stress = seconds(item, 'averageStressLevel');
  const battery = account.items('stressDetails').find(({ calendarDate }) => calendarDate === item.calendarDate);
  const levels = Object.values((battery?.timeOffsetBodyBatteryValues ?? {}) as Record<string, number>);
  return {
    date: String(item.calendarDate),
    startMs: startOf(item),
    steps: seconds(item, 'steps'),
    meters: seconds(item, 'distanceInMeters'),
    kilocalories: seconds(item, 'activeKilocalories'),
    basalKilocalories: seconds(item, 'bmrKilocalories'),
    floors: seconds(item, 'floorsClimbed'),
    activeMinutes: seconds(item, 'activeTimeInSeconds') / 60,
    restingHeartRate: seconds(item, 'restingHeartRateInBeatsPerMinute'),
    heartRates: Object.keys((item.timeOffsetHeartRateSamples ?? {}) as object).length,
    stress: stress < 0 ? undefined : stress,
    bodyBattery: levels.length === 0 ? undefined : Math.max(...levels),
  };
}

function nightOf(item: GarminItem): TrueGarminNight {
  const asleep = ['deepSleepDurationInSeconds', 'lightSleepDurationInSeconds', 'remSleepInSeconds'];
  const awake = seconds(item, 'awakeDurationInSeconds');
  const sum = asleep.reduce((total, member) => total + seconds(item, member), 0);
  return {
    startMs: startOf(item),
    endMs: startOf(item) + (sum + awake) * 1000,
    asleepMinutes: sum / 60,
    awakeMinutes: awake / 60,
    score: seconds((item.overallSleepScore ?? {}) as GarminItem, 'value'),
  };
}
