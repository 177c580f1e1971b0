import { type SeriesCode, seriesTypeByCode } from '@healthd/model';

/** Joules of a kilocalorie. */
const JOULES_PER_KCAL = 4_184;

export const typeIdOf = (code: SeriesCode): number => seriesTypeByCode(code).id;

/** Outside of workouts the vendor writes energy in joules. */
export function kcalOfJoules(joules: number | undefined): number | undefined {
  return joules === undefined ? undefined : joules / JOULES_PER_KCAL;
}

/** A saturation is a share of one; some watches write percent. */
export function percentOf(value: number | undefined): number | undefined {
  return value === undefined || value > 1 ? value : value * 100;
}

/** 0 says that nothing was measured. */
export function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}
