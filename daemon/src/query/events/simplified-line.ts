import simplify from 'simplify-js';

/** Degrees. */
export interface Place {
  latitude: number;
  longitude: number;
}

/**
 * Number of points that are simplified together. The algorithm is quadratic and recursive in the worst case, so that a
 * long zigzag would block the process and overflow the stack.
 */
const POINTS_AT_ONCE = 500;

/** Meters per degree of latitude, and of longitude at the equator. */
const METERS_PER_DEGREE = 111_320;
const RADIANS = Math.PI / 180;

/** Returns the places of a line without the places that are at most `meters` away from the line through the others. */
export function simplifiedLine<P extends Place>(places: readonly P[], meters: number): P[] {
  if (meters <= 0) return [...places];
  const line: P[] = [];
  // Consecutive pieces share a point, which both pieces retain.
  for (let from = 0; from < places.length; from += POINTS_AT_ONCE) {
    const piece = onPlane(places.slice(from, from + POINTS_AT_ONCE + 1));
    const remaining = (simplify(piece, meters, true) as typeof piece).map(({ place }) => place);
    line.push(...(from === 0 ? remaining : remaining.slice(1)));
  }
  return line;
}

/** Projects places onto a plane, in meters from the first place. */
function onPlane<P extends Place>(places: readonly P[]): { x: number; y: number; place: P }[] {
  const [first] = places;
  if (!first) return [];
  const shrink = Math.cos(first.latitude * RADIANS);
  return places.map((place) => ({
    // Takes the shorter way around the earth at the 180th meridian.
    x: (((place.longitude - first.longitude + 540) % 360) - 180) * METERS_PER_DEGREE * shrink,
    y: (place.latitude - first.latitude) * METERS_PER_DEGREE,
    place,
  }));
}
