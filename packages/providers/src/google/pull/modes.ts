import type { PullMode } from '../../cloud/index.js';
import type { SeriesType } from './data-type.js';
import type { PointOperation } from './read-points.js';

/** How a type is read: points, windows of an hour, or whole local days. */
export type Operation = PointOperation | 'rollUp' | 'dailyRollUp';

/** Whether every source is read by itself. At hourly and daily granularity the setting does not count. */
export function readsSources({ granularity, configuration }: PullMode): boolean {
  const merged = configuration.values.USE_RECONCILE?.toLowerCase();
  return granularity === 'raw' && merged !== undefined && ['false', '0', 'no'].includes(merged);
}

/** What is not rolled up, and what cannot be listed, comes from the merged stream. */
export function operationOf(type: Pick<SeriesType, 'rollUpDays' | 'listable'>, mode: PullMode): Operation {
  if (type.rollUpDays !== undefined && mode.granularity === 'hourly') return 'rollUp';
  if (type.rollUpDays !== undefined && mode.granularity === 'daily') return 'dailyRollUp';
  return readsSources(mode) && type.listable ? 'list' : 'reconcile';
}
