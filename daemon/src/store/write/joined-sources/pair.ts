import type { SourceAlias } from '../../facts/sources/source-aliases.js';

/** Rows of two sources that may be one, or are. */
export interface SourcePair extends SourceAlias {
  namedId: number;
  bundledId: number;
}

/** An item of one of two compared sources. */
export interface ComparedItem {
  startMs: number;
  /** Day by which it is judged whether both sources have anything. */
  day: number;
  /** Hash or text of the id; undefined where none is known. */
  id: string | number | undefined;
}

export interface ComparedItems<Item extends ComparedItem> {
  equal: Item[];
  /** Items of one source that the other one should have too. */
  onlyNamed: Item[];
  onlyBundled: Item[];
  /** Items that are equal and two items of the store all the same. */
  apart: Item[];
}

/**
 * Compares the items of two sources within the time of both. Everything that the phone gives must be in the export, which
 * has all that there is; what only the export has counts on days of which the phone brought something. Equal items with
 * different ids are two items of the store.
 * @param isEqual whether two items that begin alike are one
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

/** The items that are in the time of both sources. @param edges of a source the first and last start that it has */
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
