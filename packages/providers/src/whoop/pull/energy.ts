/** A thermochemical calorie is 4.184 joules. */
const KILOJOULES_PER_KCAL = 4.184;

/** Heat in kcal, to a hundredth; undefined stays so. */
export function kcalOfKilojoules(kilojoules: number | undefined): number | undefined {
  return kilojoules === undefined ? undefined : Math.round((kilojoules / KILOJOULES_PER_KCAL) * 100) / 100;
}
