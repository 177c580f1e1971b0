import { countItems, type ItemCounts, type ItemOutcome, noItems, type Rejected } from '@healthd/model';

/** What became of the items of one collection; items of one identity within a batch count once. */
export interface WriteCounts {
  inserted: number;
  updated: number;
  unchanged: number;
}

/** Counts before anything was written. */
export function noCounts(): WriteCounts {
  return { inserted: 0, updated: 0, unchanged: 0 };
}

/** What became of the items of one collection of a batch, of which equal ones were stored once. */
export interface CollectionOutcome {
  /** Items that could be stored. */
  given: number;
  counts: WriteCounts;
  /** Items that could not be stored; their neighbours were. */
  rejected: readonly Rejected[];
}

/** The items of a batch, by what became of them. */
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
