import { converter } from '@healthd/model';

const QUANTITY = /^\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*(.*?)\s*$/;

/**
 * The number in a text with its unit, as metadata writes them (`5480 cm`, `68 degF`), in another unit; undefined when
 * the text is no such quantity or the units do not fit. For the percent sign see {@link parseHundredths}.
 */
export function parseQuantity(text: string | undefined, toUnit: string): number | undefined {
  const match = QUANTITY.exec(text ?? '');
  if (!match?.[2]) return undefined;
  return converter(match[2], toUnit)?.(Number(match[1]));
}

/** Percent from the metadata's hundredths of a percent: `5600 %` is 56. */
export function parseHundredths(text: string | undefined): number | undefined {
  const match = QUANTITY.exec(text ?? '');
  return match?.[2] === '%' ? Number(match[1]) / 100 : undefined;
}

/** A value and its unit from two attributes, in another unit. */
export function quantityOf(value: string | undefined, unit: string | undefined, toUnit: string): number | undefined {
  return value === undefined || unit === undefined ? undefined : parseQuantity(`${value} ${unit}`, toUnit);
}
