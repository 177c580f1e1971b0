import type { SourceAlias } from '../../facts/sources/source-aliases.js';

/** Source rows of two possible or confirmed duplicates. */
export interface SourcePair extends SourceAlias {
  namedId: number;
  bundledId: number;
}

/** An item of a compared source. */
export interface ComparedItem {
  startMs: number;
  /** Day that determines whether both sources have data. */
  day: number;
  /** Hash or text of the id; undefined if unknown. */
  id: string | number | undefined;
}

export interface ComparedItems<Item extends ComparedItem> {
  equal: Item[];
  /** Items of one source that the other source should contain too. */
  onlyNamed: Item[];
  onlyBundled: Item[];
  /** Equal items with different ids, which are separate items of the store. */
  apart: Item[];
}

/**
 * Compares the items of an export (`named`) with the items of a phone (`bundled`) in their common time. The export is
 * complete, so it must contain every item from the phone. Items that exist only in the export count only on days with
 * phone data. Equal items with different ids are separate items of the store.
 * @param isEqual true if two items with equal starts are the same
 */
export function compareItems<Item extends ComparedItem>(
  named: readonly Item[],
  bundled: readonly Item[],
  keyOf: (item: Item) => string,
  isEqual: (a: Item, b: Item) => boolean,
): ComparedItems<Item> {
  const left = new Map<string, Item[]>();
  for (const item of named) left.set(keyOf(item), [...(left.get(keyOf(item)) ?? []), item]);
  const result: ComparedItems<Item> = { equal: [], onlyNamed: [], onlyBundled: [], apart: [] };
  for (const item of bundled) {
    const alike = left.get(keyOf(item)) ?? [];
    const at = alike.findIndex((other) => isEqual(other, item));
    const [other] = at < 0 ? [] : alike.splice(at, 1);
    if (!other) result.onlyBundled.push(item);
    else if (other.id === undefined || item.id === undefined || other.id === item.id) result.equal.push(item);
    else result.apart.push(item);
  }
  const bundledDays = new Set(bundled.map(({ day }) => day));
  for (const items of left.values()) result.onlyNamed.push(...items.filter(({ day }) => bundledDays.has(day)));
  return result;
}

/**
 * Returns the items in the common time.
 * @param edges first and last start of each source
 */
export function withinBoth<Item extends ComparedItem>(items: readonly Item[], edges: readonly Edges[]): Item[] {
  const from = Math.max(...edges.map(({ firstMs }) => firstMs));
  const to = Math.min(...edges.map(({ lastMs }) => lastMs));
  return items.filter(({ startMs }) => startMs >= from && startMs <= to);
}

export interface Edges {
  firstMs: number;
  lastMs: number;
}

export function edgesOf(items: readonly ComparedItem[]): Edges {
  const starts = items.map(({ startMs }) => startMs);
  const firstMs = starts.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  return { firstMs, lastMs: starts.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) };
}
