/** Largest corrected value. Above it a double has too few digits to correct a decimal error. */
const LARGEST_CORRECTED = 1e13;

/**
 * Rounds half away from zero to `decimals` places: 102.5 becomes 103, -2.5 becomes -3. A decimal half counts as a half
 * even if its double is slightly smaller (1.005 becomes 1.01). Never returns -0.
 */
export function round(value: number, decimals = 0): number {
  const power = 10 ** decimals;
  const scaled = Math.abs(value) * power;
  if (!Number.isFinite(scaled)) return value;
  // Parsing and scaling each lose at most half a unit in the last place. Two whole units cover both.
  const corrected = scaled < LARGEST_CORRECTED ? scaled * (1 + 2 * Number.EPSILON) : scaled;
  const rounded = Math.round(corrected) / power;
  return value < 0 ? 0 - rounded : rounded;
}
