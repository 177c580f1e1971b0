import { type HealthRecord, MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
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
import { readingOf, windowsOf } from '../../rest/index.js';
import { asGap } from '../oauth.js';
import { SCOPES } from '../scopes.js';
import { bodySamples } from './body.js';
import { cycleRecords } from './cycle.js';
import { WHOOP_DATA_TYPES, type WhoopDataTypeId } from './data-types.js';
import { readRecords } from './read-records.js';
import { recoveryRecords } from './recovery.js';
import { sleepRecords } from './sleep.js';
import { readWakings, type Wakings } from './wakings.js';
import { workoutRecords } from './workout.js';

/** Two pages of nights. */
const WINDOW_DAYS = 30;
/** Around a window, so that the sleep of each recovery and cycle is found, by any time that the vendor's filter uses. */
const REACH_MS = 2 * MS_PER_DAY;
const NO_WAKINGS: Wakings = { bySleep: new Map(), byCycle: new Map() };

/** Reads the vendor's API, version 2. */
export const WHOOP_PULL: PullAdapter = {
  dataTypes: WHOOP_DATA_TYPES,
  // The vendor knows no zone of an account; each record has its own offset.
  account: async (_api, scopes) => ({ scopes }),
  windows,
  read,
};

function windows(dataType: string, { startMs, endMs }: TimeRange): readonly TimeRange[] {
  if (endMs <= startMs) return [];
  if (dataType === 'body') return [{ startMs, endMs }];
  return windowsOf({ startMs, endMs }, WINDOW_DAYS);
}

interface Reading {
  api: VendorApi;
  window: TimeRange;
  account: VendorAccount;
  tally: Tally;
}

async function read(
  api: VendorApi,
  dataType: string,
  window: TimeRange,
  _mode: PullMode,
  account: VendorAccount,
): Promise<WindowReading> {
  const type = WHOOP_DATA_TYPES.find(({ id }) => id === dataType);
  if (type === undefined) throw new VendorError({ code: 'invalid_request', reason: 'unknown_data_type' });
  const tally = new Tally(dataType);
  try {
    if (type.id === 'body') return await readBody(api, tally);
    const records = await READERS[type.id]({ api, window, account, tally });
    return readingOf(records, tally);
  } catch (error) {
    throw await asGap(error, api);
  }
}

const READERS: Readonly<Record<Exclude<WhoopDataTypeId, 'body'>, (reading: Reading) => Promise<HealthRecord[]>>> = {
  async sleep({ api, window, tally }) {
    // A night that ends just as the window starts has its rate of breathing in it.
    const asked = { startMs: window.startMs - MS_PER_MINUTE, endMs: window.endMs };
    return sleepRecords(await readRecords(api, '/v2/activity/sleep', asked), window, tally);
  },
  async recovery(reading) {
    const asked = around(reading.window);
    const records = await readRecords(reading.api, '/v2/recovery', asked);
    return recoveryRecords(records, await wakingsFor(reading, records), reading.window, reading.tally);
  },
  async workout({ api, window, tally }) {
    return workoutRecords(await readRecords(api, '/v2/activity/workout', window), window, tally);
  },
  async cycle(reading) {
    const records = await readRecords(reading.api, '/v2/cycle', around(reading.window));
    return cycleRecords(records, await wakingsFor(reading, records), reading.window, reading.tally);
  },
};

/** At the time of the answer: the run may have been planned long before. */
async function readBody(api: VendorApi, tally: Tally): Promise<WindowReading> {
  const answer = await api.call({ path: '/v2/user/measurement/body' });
  const states = bodySamples(answer, Date.now());
  for (const _ of states) tally.next();
  return { ...readingOf([], tally), states };
}

/** Sleeps are asked for where there is something to place, and the person consented to them. */
async function wakingsFor({ api, window, account }: Reading, records: readonly unknown[]): Promise<Wakings> {
  if (records.length === 0 || !account.scopes.has(SCOPES.sleep)) return NO_WAKINGS;
  return readWakings(api, around(window));
}

function around({ startMs, endMs }: TimeRange): TimeRange {
  return { startMs: startMs - REACH_MS, endMs: endMs + REACH_MS };
}
