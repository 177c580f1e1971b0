import { offsetOf, type PlaceMembers } from '../../rest/index.js';

/** Where sleeps and workouts are in time. */
export const PLACE: PlaceMembers = {
  start: 'start',
  end: 'end',
  offsetOf: ({ timezone_offset: offset }) => offsetOf(offset),
};
