import { z } from 'zod';
import { offsetOf, type PlaceMembers } from '../../rest/index.js';

/** A UTC offset, e.g. `-05:00`. */
export const OFFSET = z.string().refine((text) => offsetOf(text) !== undefined);

/** Time members of sleeps and workouts. */
export const PLACE: PlaceMembers = {
  start: 'start',
  end: 'end',
  offsetOf: ({ timezone_offset: offset }) => offsetOf(offset),
};
