/**
 * What can become of an item that a file, a push or a vendor's answer brought. Every item has exactly one outcome:
 * - `inserted`, `updated`, `unchanged`: it is stored now, and was not before, otherwise, or just so;
 * - `superseded`: what it says is stored in more detail already;
 * - `duplicates`: another item of the same report says the same;
 * - `archived`: samples that were removed from an archived day stand for it;
 * - `suppressed`: it was deleted here before, or an accepted vendor term forbids to store it;
 * - `no_value`: the vendor says that there is no value;
 * - `rejected`: it is wrong, and the report says how;
 * - `unsupported`: the data model does not support it.
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

/** Items of one report. All outcomes together are `read`. */
export type ItemCounts = Record<'read' | ItemOutcome, number>;

/** The counts of a report that has read nothing. */
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

/** Adds items that came to one end. */
export function countItems(counts: ItemCounts, outcome: ItemOutcome, items: number): void {
  counts.read += items;
  counts[outcome] += items;
}

/** Adds the counts of another report. */
export function addItems(total: ItemCounts, more: ItemCounts): void {
  total.read += more.read;
  for (const outcome of ITEM_OUTCOMES) total[outcome] += more[outcome];
}
