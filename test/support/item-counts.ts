import { ITEM_OUTCOMES, type ItemCounts } from '@healthd/model';

/** Items that came to some end; a report adds up when these are all that were read. */
export function endedItems(counts: ItemCounts): number {
  return ITEM_OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);
}

/** Whether something is a report of items that adds up. */
export function addsUp(counts: unknown): boolean {
  return endedItems(counts as ItemCounts) === (counts as ItemCounts).read;
}
