import { type PercentMeaning, pushConverter, type RecordPlan } from '../device-push/index.js';
import { quantityConverter, quantitySeries } from './quantities.js';

/** Units that the client means where it declares none, by identifier without prefix; otherwise that of the series. */
const SENT_UNITS: Readonly<Record<string, string>> = {
  Height: 'm',
  WaistCircumference: 'm',
  WalkingStepLength: 'm',
  RunningStrideLength: 'm',
  DietaryWater: 'L',
};

/** The client multiplies oxygen saturation itself and leaves every other share as a fraction, body fat included. */
const PERCENT_MEANINGS: Readonly<Record<string, PercentMeaning>> = {
  OxygenSaturation: 'either',
  BodyFatPercentage: 'either',
};

const PREFIX = /^HKQuantityTypeIdentifier/;

/** What becomes of records of a type and unit; undefined for types that are not stored. */
export function pushedPlanOf(type: string, declared: string | undefined): RecordPlan | undefined {
  const series = quantitySeries(type);
  if (series === undefined) return undefined;
  const name = type.replace(PREFIX, '');
  const percent = PERCENT_MEANINGS[name] ?? 'fraction';
  const unit = declared ?? SENT_UNITS[name] ?? (series.unit === 'percent' ? '%' : series.unit);
  const convert =
    unit === '%' && series.code === 'blood_alcohol_content'
      ? quantityConverter(series, unit)
      : pushConverter(series, unit, percent);
  return convert ? { kind: 'sample', typeId: series.id, convert } : { kind: 'unknown_unit' };
}
