import { quantityConverter, quantitySeries } from './quantities.js';
import type { Unsupported } from './rejection.js';

const SLEEP_ANALYSIS = 'HKCategoryTypeIdentifierSleepAnalysis';

/** What becomes of Records of one type and unit. */
export type ExportedPlan =
  | { kind: 'sample'; typeId: number; convert: (value: number) => number }
  | { kind: 'sleep' }
  | { kind: 'unknown_unit' }
  | Unsupported;

/** Works out what becomes of Records of a type and unit. */
export function recordPlanOf(type: string, unit: string | undefined): ExportedPlan {
  if (type === SLEEP_ANALYSIS) return { kind: 'sleep' };
  const series = quantitySeries(type);
  if (series === undefined) return { kind: 'unsupported', type };
  const convert = unit === undefined ? undefined : quantityConverter(series, unit);
  return convert === undefined ? { kind: 'unknown_unit' } : { kind: 'sample', typeId: series.id, convert };
}
