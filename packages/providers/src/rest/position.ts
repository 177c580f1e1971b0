import { seriesTypeByCode } from '@healthd/model';
import { numberOf } from '../payload/index.js';

const COORDINATES = ['latitude', 'longitude'] as const;

/** Returns latitude and longitude in degrees; undefined if either is missing or invalid. */
export function positionOf(...coordinates: readonly [unknown, unknown]): readonly [number, number] | undefined {
  const [latitude, longitude] = coordinates.map((value, at) => {
    const { min, max } = seriesTypeByCode(COORDINATES[at]!).plausible;
    const degrees = numberOf(value);
    return degrees !== undefined && degrees >= min && degrees <= max ? degrees : undefined;
  });
  return latitude === undefined || longitude === undefined ? undefined : [latitude, longitude];
}
