import { z } from 'zod';
import { offsetOf, type PlaceMembers } from '../../rest/index.js';

/** A clock's distance from UTC, e.g. `-05:00`. */
export const OFFSET = z.string().refine((text) => offsetOf(text) !== undefined);

/** Where sleeps and workouts are in time. */
export const PLACE: PlaceMembers = {
  start: 'start',
  end: 'end',
  offsetOf: ({ timezone_offset: offset }) => offsetOf(offset),
};
