import type { PullMode } from '../../cloud/index.js';
import type { SeriesType } from './data-type.js';
import type { PointOperation } from './read-points.js';

/** Operation to read a type: points, hourly windows, or whole local days. */
export type Operation = PointOperation | 'rollUp' | 'dailyRollUp';

/** True if every source is read separately. Ignored at hourly and daily granularity. */
export function readsSources({ granularity, configuration }: PullMode): boolean {
  const merged = configuration.values.USE_RECONCILE?.toLowerCase();
  return granularity === 'raw' && merged !== undefined && ['false', '0', 'no'].includes(merged);
}

/** Types without roll-ups or lists are read from the merged stream. */
export function operationOf(type: Pick<SeriesType, 'rollUpDays' | 'listable'>, mode: PullMode): Operation {
  if (type.rollUpDays !== undefined && mode.granularity === 'hourly') return 'rollUp';
  if (type.rollUpDays !== undefined && mode.granularity === 'daily') return 'dailyRollUp';
  return readsSources(mode) && type.listable ? 'list' : 'reconcile';
}
