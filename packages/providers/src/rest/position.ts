import { seriesTypeByCode } from '@healthd/model';
import { numberOf } from '../payload/index.js';

const COORDINATES = ['latitude', 'longitude'] as const;

/** Latitude and longitude of a place, in degrees; undefined where one of them is missing or is none. */
export function positionOf(...coordinates: readonly [unknown, unknown]): readonly [number, number] | undefined {
  const [latitude, longitude] = coordinates.map((value, at) => {
    const { min, max } = seriesTypeByCode(COORDINATES[at]!).plausible;
    const degrees = numberOf(value);
    return degrees !== undefined && degrees >= min && degrees <= max ? degrees : undefined;
  });
  return latitude === undefined || longitude === undefined ? undefined : [latitude, longitude];
}
