import { ITEM_OUTCOMES, type ItemCounts } from '@healthd/model';

/** Returns the sum of all outcomes. A report is consistent if the sum equals the number of read items. */
export function endedItems(counts: ItemCounts): number {
  return ITEM_OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);
}

/** True if the value is a consistent report of item counts. */
export function isConsistent(counts: unknown): boolean {
  return endedItems(counts as ItemCounts) === (counts as ItemCounts).read;
}
