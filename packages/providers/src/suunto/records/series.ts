import { type SeriesCode, seriesTypeByCode } from '@healthd/model';

/** Joules of a kilocalorie. */
const JOULES_PER_KCAL = 4_184;

export const typeIdOf = (code: SeriesCode): number => seriesTypeByCode(code).id;

/** Converts joules, the vendor's energy unit outside of workouts. */
export function kcalOfJoules(joules: number | undefined): number | undefined {
  return joules === undefined ? undefined : joules / JOULES_PER_KCAL;
}

/** Converts a saturation from a fraction of 0..1; some watches already write percent. */
export function percentOf(value: number | undefined): number | undefined {
  return value === undefined || value > 1 ? value : value * 100;
}

/** Drops 0, which means that nothing was measured. */
export function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}
