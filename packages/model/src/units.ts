import { QUANTITIES_STORED_UNDER, UNITS, type UnitDefinition } from './unit-table.js';

/**
 * Returns a function that converts between two units; undefined if a unit is unknown or the two measure different
 * quantities. `toUnit` is usually the unit of a series, but any known unit works.
 *
 * A percent sign is deliberately unknown: one store writes 0.97 with it, another 97. The caller decides by the store,
 * see {@link fractionToPercent}. Cache the function per (series, unit).
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

/** Converts one value, or returns undefined as {@link converter} does. For many values, cache the converter. */
export function convert(value: number, declaredUnit: string, toUnit: string): number | undefined {
  return converter(declaredUnit, toUnit)?.(value);
}

/** Converts a fraction of 0..1 to percent, as needed for Apple's unit `%`. */
export function fractionToPercent(fraction: number): number {
  // Shifts in decimal: 0.07 * 100 would be 7.000000000000001.
  return Math.round(fraction * 1e10) / 1e8;
}

/**
 * Glucose unit of Apple's exports, which contains the molar mass in g/mol. A unit with a different mass means a
 * different substance.
 */
const MOLAR_GLUCOSE = /^mmol<(180(?:\.\d+)?)>\/L$/;

/**
 * Compares case-sensitively first, because `Cal` is 1,000 `cal`. Then treats different spellings of a product as equal:
 * `kcal/hr·kg`, `kcal/(kg*hr)`.
 */
function unitDefinition(text: string): UnitDefinition | undefined {
  const exact = UNITS.get(text);
  if (exact) return exact;
  const molar = MOLAR_GLUCOSE.exec(text);
  // mmol/L times g/mol is mg/L, which is ten times mg/dL.
  if (molar) return { quantity: 'glucose', multiply: Number(molar[1]), divide: 10, shift: 0 };
  return UNITS.get(text.replaceAll('·', '*').replaceAll('(', '').replaceAll(')', ''));
}

function scaling(multiply: number, divide: number): (value: number) => number {
  if (multiply === divide) return (value) => value;
  return (value) => withoutNoise((value * multiply) / divide, SCALED_DIGITS);
}

/** Decimal digits that a double preserves through one scaling. Subtracting a shift costs up to two digits. */
const SCALED_DIGITS = 15;
const SHIFTED_DIGITS = 13;

/** Drops the last binary digits, where the computation errs: 98.6 °F is 37, not 36.99999999999999. */
function withoutNoise(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}
