/**
 * Outcomes of an item from a file, a push or a vendor's response. Every item has exactly one outcome:
 * - `inserted`, `updated`, `unchanged`: the item is stored now, and before it was missing, different or equal;
 * - `superseded`: more detailed data is stored already;
 * - `duplicates`: another item of the same report has the same content;
 * - `archived`: the item belongs to samples that the archive replaced;
 * - `suppressed`: the item was deleted here before, or an accepted vendor term or setting forbids storing it;
 * - `no_value`: the vendor reports that no value exists;
 * - `rejected`: the item is invalid, and the report contains the reason;
 * - `unsupported`: the data model does not support the item.
 */
export const ITEM_OUTCOMES = [
  'inserted',
  'updated',
  'unchanged',
  'superseded',
  'duplicates',
  'archived',
  'suppressed',
  'no_value',
  'rejected',
  'unsupported',
] as const;

export type ItemOutcome = (typeof ITEM_OUTCOMES)[number];

/** Item counts of one report. The sum of all outcomes is `read`. */
export type ItemCounts = Record<'read' | ItemOutcome, number>;

/** Returns the counts of an empty report. */
export function noItems(): ItemCounts {
  return {
    read: 0,
    inserted: 0,
    updated: 0,
    unchanged: 0,
    superseded: 0,
    duplicates: 0,
    archived: 0,
    suppressed: 0,
    no_value: 0,
    rejected: 0,
    unsupported: 0,
  };
}

/** Adds items with the same outcome. */
export function countItems(counts: ItemCounts, outcome: ItemOutcome, items: number): void {
  counts.read += items;
  counts[outcome] += items;
}

/** Adds the counts in `more` to `total`. */
export function addItems(total: ItemCounts, more: ItemCounts): void {
  total.read += more.read;
  for (const outcome of ITEM_OUTCOMES) total[outcome] += more[outcome];
}
