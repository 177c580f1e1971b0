import type { SessionSamples } from '@healthd/schemas';

/** Route projected onto a plane: meters east and south of its northwest corner. */
export interface RouteLine {
  points: { x: number; y: number }[];
  width: number;
  height: number;
  /** False if the workout has more points than the response contains. */
  isWhole: boolean;
}

/** Meters per degree of latitude, and of longitude at the equator. */
const METERS_PER_DEGREE = 111_320;

/**
 * Returns a workout's route from its coordinates; undefined with fewer than two points. Routes are small enough for a
 * plane.
 */
export function routeOf(samples: SessionSamples): RouteLine | undefined {
  const axes = samples.filter(({ type }) => type === 'latitude' || type === 'longitude');
  const of = (type: string) => axes.find((one) => one.type === type)?.samples ?? [];
  const longitudes = new Map(of('longitude').map(({ timestamp, value }) => [timestamp, value]));
  const places = of('latitude').flatMap(({ timestamp, value: latitude }) => {
    const longitude = longitudes.get(timestamp);
    return longitude === undefined ? [] : [{ latitude, longitude }];
  });
  const [first] = places;
  if (!first || places.length < 2) return undefined;
  const shrink = Math.cos((first.latitude * Math.PI) / 180);
  const plane = places.map(({ latitude, longitude }) => ({
    // Takes the shorter way around the earth at the 180th meridian.
    x: (((longitude - first.longitude + 540) % 360) - 180) * METERS_PER_DEGREE * shrink,
    y: -(latitude - first.latitude) * METERS_PER_DEGREE,
  }));
  const least = (axis: 'x' | 'y') => plane.reduce((low, point) => Math.min(low, point[axis]), Number.POSITIVE_INFINITY);
  const [left, top] = [least('x'), least('y')];
  const points = plane.map(({ x, y }) => ({ x: x - left, y: y - top }));
  const most = (axis: 'x' | 'y') => points.reduce((high, point) => Math.max(high, point[axis]), 0);
  return { points, width: most('x'), height: most('y'), isWhole: axes.every(({ complete }) => complete) };
}
