import { VendorError, type VendorWorkouts } from '../cloud/index.js';
import { idOf } from '../payload/index.js';
import { askWorkouts, payloadOf, WORKOUTS, WORKOUTS_PER_PAGE } from './pull/index.js';

/** Workouts in the vendor's own form. The token of a further page is how many come before it. */
export const SUUNTO_WORKOUTS: VendorWorkouts = {
  dataType: 'workouts',
  async list(api, { since, limit, pageToken }) {
    const offset = pageToken === undefined ? 0 : Number(pageToken);
    if (!Number.isInteger(offset) || offset < 0) throw new VendorError({ code: 'invalid_request', reason: 'offset' });
    const query = { since: since?.getTime() ?? 0, limit: Math.min(limit, WORKOUTS_PER_PAGE), offset };
    const answer = await askWorkouts(api, { ...query, by: 'start' });
    payloadOf(answer);
    return answer;
  },
  async get(api, id) {
    if (idOf(id) === undefined) throw new VendorError({ code: 'not_found' });
    const answer = await api.call({ path: `${WORKOUTS}${encodeURIComponent(id)}` });
    // A key that is not known is answered 200 without a workout.
    const workout = payloadOf(answer);
    if (workout === undefined || workout === null) throw new VendorError({ code: 'not_found' });
    return answer;
  },
};
