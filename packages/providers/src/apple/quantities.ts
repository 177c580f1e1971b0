import { converter, fractionToPercent, type SeriesType, seriesTypeByCode } from '@healthd/model';
import { QUANTITY_SERIES } from './quantity-series.js';

const QUANTITY_PREFIX = 'HKQuantityTypeIdentifier';
const PERCENT_SIGN = '%';
/** Blood alcohol is exported as the fraction of blood, 0.0008 for 80 mg/dL. */
const MG_DL_PER_ALCOHOL_FRACTION = 100_000;

/** The series that an identifier such as `HKQuantityTypeIdentifierStepCount` belongs to, or undefined. */
export function quantitySeries(identifier: string): SeriesType | undefined {
  if (!identifier.startsWith(QUANTITY_PREFIX)) return undefined;
  const code = QUANTITY_SERIES.get(identifier.slice(QUANTITY_PREFIX.length));
  return code === undefined ? undefined : seriesTypeByCode(code);
}

/**
 * Turns an exported value into the unit of its series, by the unit that the record itself declares: the same series
 * comes as km or mi, kg or lb, depending on the phone. The percent sign always stands for a fraction of 0..1.
 * @returns undefined when the unit does not fit the series
 */
export function quantityConverter(series: SeriesType, unit: string): ((value: number) => number) | undefined {
  if (unit !== PERCENT_SIGN) return converter(unit, series.unit);
  if (series.code === 'blood_alcohol_content') return (fraction) => fraction * MG_DL_PER_ALCOHOL_FRACTION;
  return FRACTIONS.has(series.unit) ? fractionToPercent : undefined;
}

// Perfusion index is declared as a score and fibrillation burden as a count; both mean percent.
const FRACTIONS: ReadonlySet<string> = new Set(['percent', 'score', 'count']);
