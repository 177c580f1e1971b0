import { dayStartMs, fromDayNumber, localDayNumber, MS_PER_DAY, seriesTypeIds } from '@healthd/model';
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
import { SCOPES } from '../scopes.js';
import { readUserInfo } from '../user-info.js';
import { readMetrics } from './day-metrics.js';
import { dayRecords } from './day-records.js';
import { ringDay } from './local-day.js';
import { PULLED_SERIES } from './metrics.js';

/** A ring is read out when its app is opened, often the next day; a day of it is what dates differ by over the earth. */
const LATE_MS = 4 * MS_PER_DAY;
/** Minutes ahead of UTC of the clock on which every date begins first. */
const EARLIEST_CLOCK = 14 * 60;
const USER_INFO = { path: '/user_data/user_info' };

/** Reads days: a request gives all of one. */
export const ULTRAHUMAN_PULL: PullAdapter = {
  dataTypes: [
    {
      id: 'metrics',
      part: '247',
      scopes: [SCOPES.ring, SCOPES.glucose],
      latenessMs: LATE_MS,
      stored: { of: 'samples', typeIds: seriesTypeIds(PULLED_SERIES) },
      notified: false,
    },
  ],
  account,
  windows: (_dataType, range) => windows(range),
  read,
};

/** The zone, for answers that name none. */
async function account(api: VendorApi, scopes: ReadonlySet<string>): Promise<VendorAccount> {
  if (!scopes.has(SCOPES.profile)) return { scopes };
  try {
    const { timeZone } = await readUserInfo(api);
    return { scopes, ...(timeZone !== undefined && { timeZone }) };
  } catch (error) {
    if (error instanceof VendorError && (error.code === 'scope_missing' || error.code === 'not_found'))
      return { scopes };
    throw error;
  }
}

/** Dates up to the latest one that any clock shows at the end; which clock the person's is only the answers say. */
function windows({ startMs, endMs }: TimeRange): readonly TimeRange[] {
  if (endMs <= startMs) return [];
  const firstDay = localDayNumber(startMs, EARLIEST_CLOCK);
  const endDay = localDayNumber(endMs - 1, EARLIEST_CLOCK) + 1;
  return windowsOf({ startMs: dayStartMs(firstDay, EARLIEST_CLOCK), endMs: dayStartMs(endDay, EARLIEST_CLOCK) }, 1);
}

async function read(
  api: VendorApi,
  dataType: string,
  { startMs }: TimeRange,
  _mode: PullMode,
  { timeZone }: VendorAccount,
): Promise<WindowReading> {
  const tally = new Tally(dataType);
  const day = localDayNumber(startMs, EARLIEST_CLOCK);
  const date = fromDayNumber(day);
  try {
    const metrics = readMetrics(await api.call({ path: '/user_data/metrics', query: { date } }), date, tally);
    return readingOf(dayRecords(metrics, ringDay(day, metrics, timeZone), tally), tally);
  } catch (error) {
    // A date to come, and for some accounts one without data: nothing is known of it.
    if (error instanceof VendorError && error.code === 'not_found') return readingOf([], tally);
    throw await asScopeGap(error, api, [USER_INFO]);
  }
}
