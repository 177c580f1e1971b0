import { countItems, ITEM_OUTCOMES, type ItemCounts, RejectionTally } from '@healthd/model';
import type { WindowReading } from '@healthd/providers';
import type { WriteResult } from '../../store/facts/index.js';

/** Counts of one window. */
export interface WindowCounts extends ItemCounts {
  /** Number of points that the vendor sent. */
  received: number;
  /** Number of stored rows that were deleted because the vendor's response lacks them. */
  deleted: number;
  /** Number of rejected items by reason. A reason is a code with the violated limit. */
  rejectedByReason: Record<string, number>;
}

/** Returns the counts of a window's items. */
export function countsOf(
  { items, deleted, rejected }: WriteResult,
  { rejections, received, noValue, superseded }: Omit<WindowReading, 'batch'>,
): WindowCounts {
  const counts = { ...items };
  countItems(counts, 'rejected', rejections.total);
  countItems(counts, 'no_value', noValue);
  countItems(counts, 'superseded', superseded);
  const all = new RejectionTally();
  all.addReport(rejections);
  for (const item of rejected) all.add(item);
  const removed = deleted.samples + deleted.sessions + deleted.healthScores;
  return { ...counts, received, deleted: removed, rejectedByReason: all.report.byReason };
}

/** Columns of `pull_progress` that are summed over windows. */
export const COUNTED = ['received', 'deleted', 'read', ...ITEM_OUTCOMES] as const;
