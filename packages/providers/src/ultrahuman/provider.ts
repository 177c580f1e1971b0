import { dayStartMs, fromDayNumber, localDayNumber, MS_PER_DAY } from '@healthd/model';
import { type TimeRange, type VendorAccount, type VendorApi, VendorError } from '../cloud/index.js';
import { SLEEP_FIELDS } from '../provider.js';
import { restProvider, windowsOf } from '../rest/index.js';
import { vendorTerms } from '../terms.js';
import { readUserInfo, SCOPES, ULTRAHUMAN_OAUTH, USER_INFO } from './oauth.js';
import { readMetrics } from './pull/day-metrics.js';
import { dayRecords } from './pull/day-records.js';
import { ringDay } from './pull/local-day.js';
import { PULLED_SERIES, SCORES as SCORE_METRICS } from './pull/metrics.js';

/**
 * Overlap window. A ring syncs when its app is opened, often the next day. Dates differ by up to a day around the
 * world.
 */
const LATE_MS = 4 * MS_PER_DAY;
/** Largest offset, in minutes ahead of UTC, where every date starts first. */
const EARLIEST_CLOCK = 14 * 60;

/**
 * Ultrahuman: a ring and a glucose sensor. The partner API, version 1, returns one day per request and has no webhooks.
 */
export const ULTRAHUMAN = restProvider({
  id: 'ultrahuman',
  displayName: 'Ultrahuman',
  terms: vendorTerms({}),
  settingsPrefix: 'ULTRAHUMAN',
  settings: [],
  addresses: {
    api: 'https://partner.ultrahuman.com/api/partners/v1',
    authorize: 'https://auth.ultrahuman.com/authorise',
    token: 'https://partner.ultrahuman.com/api/partners/oauth/token',
    revoke: 'https://partner.ultrahuman.com/api/partners/oauth/revoke',
  },
  // The vendor publishes no limits. A backfill takes one request per day.
  quotas: { perUserAndMinute: 60, perApplicationAndMinute: 300 },
  // A day's readings have about 100 kB.
  maxResponseBytes: 8 * 1024 * 1024,
  readError: () => undefined,
  oauth: ULTRAHUMAN_OAUTH,
  probes: [USER_INFO],
  account,
  types: [
    {
      id: 'metrics',
      part: '247',
      scopes: [SCOPES.ring, SCOPES.glucose],
      latenessMs: LATE_MS,
      window: dateWindows,
      gives: { series: PULLED_SERIES, sleepFields: SLEEP_FIELDS, scores: Object.values(SCORE_METRICS) },
      async read({ api, window, account: { timeZone }, tally }) {
        const day = localDayNumber(window.startMs, EARLIEST_CLOCK);
        const date = fromDayNumber(day);
        try {
          const metrics = readMetrics(await api.call({ path: '/user_data/metrics', query: { date } }), date, tally);
          return dayRecords(metrics, ringDay(day, metrics, timeZone), tally);
        } catch (error) {
          // The vendor returns 404 for a future date and, for some accounts, for a date without data. Deletes nothing.
          if (error instanceof VendorError && error.code === 'not_found') return [];
          throw error;
        }
      },
    },
  ],
});

/** Reads the user's time zone, which applies to responses without a zone. */
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

/**
 * Returns the dates of a range at {@link EARLIEST_CLOCK}, so that the range's end has the latest date of any zone. The
 * user's zone is unknown until a response contains it.
 */
function dateWindows({ startMs, endMs }: TimeRange): readonly TimeRange[] {
  const firstDay = localDayNumber(startMs, EARLIEST_CLOCK);
  const endDay = localDayNumber(endMs - 1, EARLIEST_CLOCK) + 1;
  return windowsOf({ startMs: dayStartMs(firstDay, EARLIEST_CLOCK), endMs: dayStartMs(endDay, EARLIEST_CLOCK) }, 1);
}
