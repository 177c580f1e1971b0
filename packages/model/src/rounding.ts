/** Above this a double has no room left for a decimal error to correct. */
const LARGEST_CORRECTED = 1e13;

/**
 * Rounds half away from zero to `decimals` places: 102.5 gives 103, -2.5 gives -3. A value that is a half as written
 * counts as one although the double beneath is a little less (1.005 to two places gives 1.01). Never gives -0.
 */
export function round(value: number, decimals = 0): number {
  const power = 10 ** decimals;
  const scaled = Math.abs(value) * power;
  if (!Number.isFinite(scaled)) return value;
  // Parsing and scaling each lose at most half a unit in the last place; two whole units cover both.
  const corrected = scaled < LARGEST_CORRECTED ? scaled * (1 + 2 * Number.EPSILON) : scaled;
  const rounded = Math.round(corrected) / power;
  return value < 0 ? 0 - rounded : rounded;
}
