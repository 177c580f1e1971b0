import type { VendorWorkouts } from '../cloud/index.js';
import { asGap } from './oauth.js';

const PATH = '/v2/activity/workout';
/** The vendor refuses to give more in one answer. */
const MAX_PAGE = 25;

/** Workouts in the vendor's own form. */
export const WHOOP_WORKOUTS: VendorWorkouts = {
  dataType: 'workout',
  async list(api, { since, limit, pageToken }) {
    const query = { start: since?.toISOString(), limit: Math.min(limit, MAX_PAGE), nextToken: pageToken };
    try {
      return await api.call({ path: PATH, query });
    } catch (error) {
      throw await asGap(error, api);
    }
  },
  async get(api, id) {
    try {
      return await api.call({ path: `${PATH}/${encodeURIComponent(id)}` });
    } catch (error) {
      throw await asGap(error, api);
    }
  },
};
