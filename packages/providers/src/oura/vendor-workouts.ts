import { fromDayNumber, MS_PER_DAY } from '@healthd/model';
import type { VendorWorkouts } from '../cloud/index.js';
import { asScopeGap } from '../rest/index.js';
import { PERSONAL_INFO } from './oauth.js';

const PATH = '/v2/usercollection/workout';
/** The vendor's own default is one day; this is where a list without a start begins. */
const DEFAULT_DAYS = 90;

/** Workouts in the vendor's own form, oldest first: the vendor knows neither another order nor a size of pages. */
export const OURA_WORKOUTS: VendorWorkouts = {
  dataType: 'workout',
  async list(api, { since, pageToken }) {
    const today = Math.floor(Date.now() / MS_PER_DAY);
    const first = since === undefined ? today - DEFAULT_DAYS : Math.floor(since.getTime() / MS_PER_DAY) - 1;
    // Today where the person is may be tomorrow in UTC, and a date cuts its own day off.
    const dates = { start_date: fromDayNumber(first), end_date: fromDayNumber(today + 2) };
    try {
      return await api.call({ path: PATH, query: { ...dates, next_token: pageToken } });
    } catch (error) {
      throw await asScopeGap(error, api, [{ path: PERSONAL_INFO }]);
    }
  },
  async get(api, id) {
    try {
      return await api.call({ path: `${PATH}/${encodeURIComponent(id)}` });
    } catch (error) {
      throw await asScopeGap(error, api, [{ path: PERSONAL_INFO }]);
    }
  },
};
