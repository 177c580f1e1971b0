import { countItems, ITEM_OUTCOMES, type ItemCounts, RejectionTally } from '@healthd/model';
import type { WindowReading } from '@healthd/providers';
import type { WriteResult } from '../../store/facts/index.js';

/** What one window brought. */
export interface WindowCounts extends ItemCounts {
  /** Points that the vendor sent, from which items were read. */
  received: number;
  /** Stored rows that the vendor's answer has no longer. */
  deleted: number;
  /** Rejected items by reason: a code, with the bound that was broken. */
  rejectedByReason: Record<string, number>;
}

/** What became of the items of a window. */
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

/** Columns of `pull_progress` that add up over windows. */
export const COUNTED = ['received', 'deleted', 'read', ...ITEM_OUTCOMES] as const;
