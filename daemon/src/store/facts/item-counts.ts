import { countItems, type ItemCounts, type ItemOutcome, noItems, type Rejected } from '@healthd/model';

/** Outcomes of one collection's items. Items with the same identity in a batch count once. */
export interface WriteCounts {
  inserted: number;
  updated: number;
  unchanged: number;
}

/** Outcomes of one collection of a batch, including duplicates and rejected items. */
export interface CollectionOutcome {
  /** Items that could be stored. */
  given: number;
  counts: WriteCounts;
  /** Invalid items. The other items were stored. */
  rejected: readonly Rejected[];
}

/** Counts a batch's items by outcome. */
export function itemCountsOf(
  collections: readonly CollectionOutcome[],
  others: Partial<Record<ItemOutcome, number>>,
): ItemCounts {
  const items = noItems();
  for (const { given, counts, rejected } of collections) {
    const { inserted, updated, unchanged } = counts;
    countItems(items, 'inserted', inserted);
    countItems(items, 'updated', updated);
    countItems(items, 'unchanged', unchanged);
    countItems(items, 'duplicates', given - inserted - updated - unchanged);
    countItems(items, 'rejected', rejected.length);
  }
  for (const [outcome, count] of Object.entries(others)) countItems(items, outcome as ItemOutcome, count);
  return items;
}
