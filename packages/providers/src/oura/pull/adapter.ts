import { dayStartMs, MS_PER_DAY } from '@healthd/model';
import {
  type PullAdapter,
  type PullMode,
  Tally,
  type TimeRange,
  type VendorAccount,
  type VendorApi,
  VendorError,
  type WindowReading,
} from '../../cloud/index.js';
import { asScopeGap, readingOf, windowsOf } from '../../rest/index.js';
import { PERSONAL_INFO } from '../oauth.js';
import { SCOPES } from '../scopes.js';
import { bodySamples } from './body.js';
import { dailyRecords } from './daily.js';
import { DAILY_TYPES, type DailyType } from './daily-types.js';
import { OURA_DATA_TYPES } from './data-types.js';
import { dayOffsets, readDayOffsets } from './day-offsets.js';
import { heartRateRecords } from './heart-rate.js';
import { daysAround, readDays, readPages } from './read-documents.js';
import { sleepRecords } from './sleep.js';
import { workoutRecords } from './workout.js';

const WINDOW_DAYS = 30;
/** Some thousand readings; the vendor allows 30 days. */
const HEART_RATE_DAYS = 14;

/** Reads the vendor's API, version 2. */
export const OURA_PULL: PullAdapter = {
  dataTypes: OURA_DATA_TYPES,
  // The vendor knows no zone of an account; days and nights have offsets of their own.
  account: async (_api, scopes) => ({ scopes }),
  windows,
  read,
};

const dailyTypeOf = (id: string): DailyType | undefined => DAILY_TYPES.find((type) => type.id === id);

/** Documents of days are read by whole days, of every date that the range can touch. */
function windows(dataType: string, range: TimeRange): readonly TimeRange[] {
  if (range.endMs <= range.startMs) return [];
  if (dataType === 'personal_info') return [range];
  if (dataType === 'heartrate') return windowsOf(range, HEART_RATE_DAYS);
  if (!dailyTypeOf(dataType)) return windowsOf(range, WINDOW_DAYS);
  const { firstDay, endDay } = daysAround(range);
  return windowsOf({ startMs: dayStartMs(firstDay), endMs: dayStartMs(endDay) }, WINDOW_DAYS);
}

async function read(
  api: VendorApi,
  dataType: string,
  window: TimeRange,
  _mode: PullMode,
  account: VendorAccount,
): Promise<WindowReading> {
  try {
    return await readWindow(api, dataType, window, account);
  } catch (error) {
    throw await asScopeGap(error, api, [{ path: PERSONAL_INFO }]);
  }
}

async function readWindow(
  api: VendorApi,
  dataType: string,
  window: TimeRange,
  { scopes }: VendorAccount,
): Promise<WindowReading> {
  const tally = new Tally(dataType);
  const daily = dailyTypeOf(dataType);
  if (daily) return readingOf(await readDaily(api, daily, window, scopes, tally), tally);
  const days = daysAround(window);
  switch (dataType) {
    case 'sleep': {
      const documents = await readDays(api, 'sleep', days);
      return readingOf(sleepRecords(documents, window, !scopes.has(SCOPES.heartRate), tally), tally);
    }
    case 'workout': {
      const documents = await readDays(api, 'workout', days);
      const offsets = documents.length === 0 ? dayOffsets([]) : await readDayOffsets(api, scopes, days);
      return readingOf(workoutRecords(documents, offsets, window, tally), tally);
    }
    case 'heartrate': {
      const rows = await readPages(api, 'heartrate', {
        start_datetime: new Date(window.startMs).toISOString(),
        end_datetime: new Date(window.endMs).toISOString(),
      });
      return readingOf(heartRateRecords(rows, window, tally), tally);
    }
    case 'personal_info': {
      // At the time of the answer: the run may have been planned long before.
      const states = bodySamples(await api.call({ path: PERSONAL_INFO }), Date.now());
      for (const _ of states) tally.next();
      return { ...readingOf([], tally), states };
    }
    default:
      throw new VendorError({ code: 'invalid_request', reason: 'unknown_data_type' });
  }
}

/** A day more on both sides, so that every score that stands in the window on any clock is among them. */
async function readDaily(
  api: VendorApi,
  type: DailyType,
  { startMs, endMs }: TimeRange,
  scopes: ReadonlySet<string>,
  tally: Tally,
) {
  const days = { firstDay: startMs / MS_PER_DAY, endDay: endMs / MS_PER_DAY };
  const wider = { firstDay: days.firstDay - 1, endDay: days.endDay + 1 };
  const documents = await readDays(api, type.collection, wider);
  const offsets =
    type.id === 'daily_activity' || documents.length === 0
      ? dayOffsets(documents)
      : await readDayOffsets(api, scopes, wider);
  return dailyRecords(type, documents, offsets, days, tally);
}
