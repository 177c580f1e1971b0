import { converter, fractionToPercent, type SeriesType, seriesTypeByCode } from '@healthd/model';
import { QUANTITY_SERIES } from './quantity-series.js';

const QUANTITY_PREFIX = 'HKQuantityTypeIdentifier';
const PERCENT_SIGN = '%';
/** Exports contain blood alcohol as a fraction of blood, 0.0008 for 80 mg/dL. */
const MG_DL_PER_ALCOHOL_FRACTION = 100_000;

/** Returns the series of an identifier such as `HKQuantityTypeIdentifierStepCount`; undefined if it is unsupported. */
export function quantitySeries(identifier: string): SeriesType | undefined {
  if (!identifier.startsWith(QUANTITY_PREFIX)) return undefined;
  const code = QUANTITY_SERIES.get(identifier.slice(QUANTITY_PREFIX.length));
  return code === undefined ? undefined : seriesTypeByCode(code);
}

/**
 * Returns a function that converts exported values to the unit of the series, by the record's declared unit. One series
 * may be in km or mi, kg or lb, depending on the phone. A percent sign always means a fraction of 0..1.
 * @returns undefined if the unit does not fit the series
 */
export function quantityConverter(series: SeriesType, unit: string): ((value: number) => number) | undefined {
  if (unit !== PERCENT_SIGN) return converter(unit, series.unit);
  if (series.code === 'blood_alcohol_content') return (fraction) => fraction * MG_DL_PER_ALCOHOL_FRACTION;
  return FRACTIONS.has(series.unit) ? fractionToPercent : undefined;
}

// The series unit is `score` for the perfusion index and `count` for the fibrillation burden, but both series contain
// percent values.
const FRACTIONS: ReadonlySet<string> = new Set(['percent', 'score', 'count']);
