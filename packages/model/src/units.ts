import { QUANTITIES_STORED_UNDER, UNITS, type UnitDefinition } from './unit-table.js';

/**
 * The function that turns values declared in one unit into another, or undefined when either unit is unknown or the
 * two do not measure the same. `toUnit` is usually the unit of a series; any known unit will do.
 *
 * A percent sign is unknown here on purpose: one store writes 0.97 with it and another 97, so the caller who knows the
 * store decides, see {@link fractionToPercent}. Keep the function per (series, unit) instead of asking per value.
 */
export function converter(declaredUnit: string, toUnit: string): ((value: number) => number) | undefined {
  const from = unitDefinition(declaredUnit);
  const to = UNITS.get(toUnit);
  if (!from || !to) return undefined;
  if (from.quantity !== to.quantity) {
    if (!QUANTITIES_STORED_UNDER[toUnit]?.includes(from.quantity)) return undefined;
    return scaling(from.multiply, from.divide);
  }
  const multiply = from.multiply * to.divide;
  const divide = from.divide * to.multiply;
  if (from.shift === to.shift) return scaling(multiply, divide);
  return (value) => withoutNoise(((value + from.shift) * multiply) / divide - to.shift, SHIFTED_DIGITS);
}

/** One value in another unit, or undefined as for {@link converter}. For many values hold the converter instead. */
export function convert(value: number, declaredUnit: string, toUnit: string): number | undefined {
  return converter(declaredUnit, toUnit)?.(value);
}

/** A fraction of 0..1 as percent; what Apple's exports need wherever they write the unit `%`. */
export function fractionToPercent(fraction: number): number {
  // One shift in decimal: 0.07 * 100 would be 7.000000000000001.
  return Math.round(fraction * 1e10) / 1e8;
}

/** Glucose as Apple's exports write it, with its molar mass in g/mol; another mass would be another substance. */
const MOLAR_GLUCOSE = /^mmol<(180(?:\.\d+)?)>\/L$/;

/**
 * Case decides first (`Cal` is a thousand `cal`); after that only the ways of writing a product are treated as equal:
 * `kcal/hr·kg`, `kcal/(kg*hr)`.
 */
function unitDefinition(text: string): UnitDefinition | undefined {
  const exact = UNITS.get(text);
  if (exact) return exact;
  const molar = MOLAR_GLUCOSE.exec(text);
  // mmol/L times g/mol is mg/L, ten times mg/dL.
  if (molar) return { quantity: 'glucose', multiply: Number(molar[1]), divide: 10, shift: 0 };
  return UNITS.get(text.replaceAll('·', '*').replaceAll('(', '').replaceAll(')', ''));
}

function scaling(multiply: number, divide: number): (value: number) => number {
  if (multiply === divide) return (value) => value;
  return (value) => withoutNoise((value * multiply) / divide, SCALED_DIGITS);
}

/** Decimal digits that a double carries through one scaling; subtracting a shift costs up to two of them. */
const SCALED_DIGITS = 15;
const SHIFTED_DIGITS = 13;

/** A result without the last binary digits, where the computation errs: 98.6 °F is 37 and not 36.99999999999999. */
function withoutNoise(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}
