import { MS_PER_SECOND } from '@healthd/model';
import { VendorError, type VendorWorkouts } from '../cloud/index.js';
import { numberIdOf } from '../rest/index.js';
import { activityPath, LIST } from './pull/index.js';
import { ACTIVITY } from './webhook.js';

/** The vendor gives no more in one page. */
const MAX_PAGE = 200;

/** Activities in the vendor's own form, newest first. The token of a further page is its number. */
export const STRAVA_WORKOUTS: VendorWorkouts = {
  dataType: ACTIVITY,
  list(api, { since, limit, pageToken }) {
    const page = pageToken === undefined ? 1 : Number(pageToken);
    if (!Number.isInteger(page) || page < 1) throw new VendorError({ code: 'invalid_request', reason: 'page' });
    const after = since && Math.floor(since.getTime() / MS_PER_SECOND) - 1;
    // With a start alone the vendor begins with the oldest.
    const before = Math.ceil(Date.now() / MS_PER_SECOND);
    return api.call({ path: LIST, query: { after, before, page, per_page: Math.min(limit, MAX_PAGE) } });
  },
  async get(api, id) {
    if (numberIdOf(id) === undefined) throw new VendorError({ code: 'not_found' });
    return api.call({ path: activityPath(id) });
  },
};
