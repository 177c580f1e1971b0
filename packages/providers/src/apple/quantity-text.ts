import { converter } from '@healthd/model';

const QUANTITY = /^\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*(.*?)\s*$/;

/**
 * Parses a number with a unit, as in metadata (`5480 cm`, `68 degF`), and converts it. Undefined if the text is not a
 * quantity or the units do not fit. For percent signs see {@link parseHundredths}.
 */
export function parseQuantity(text: string | undefined, toUnit: string): number | undefined {
  const match = QUANTITY.exec(text ?? '');
  if (!match?.[2]) return undefined;
  return converter(match[2], toUnit)?.(Number(match[1]));
}

/** Parses hundredths of a percent in metadata: `5600 %` is 56. */
export function parseHundredths(text: string | undefined): number | undefined {
  const match = QUANTITY.exec(text ?? '');
  return match?.[2] === '%' ? Number(match[1]) / 100 : undefined;
}

/** Converts a value and its unit from two attributes. */
export function quantityOf(value: string | undefined, unit: string | undefined, toUnit: string): number | undefined {
  return value === undefined || unit === undefined ? undefined : parseQuantity(`${value} ${unit}`, toUnit);
}
