import type { Cursors, Position } from './cursors.js';

/** One page of rows in the list's own order, with the cursors to both sides. */
export interface Page<T> {
  rows: T[];
  nextCursor: string | null;
  previousCursor: string | null;
  hasMore: boolean;
}

/**
 * Cuts what a keyset query found into a page.
 *
 * `found` holds up to `limit + 1` rows in the direction of travel, nearest first. The page is always in the list's own
 * order. `hasMore` is about the direction of travel; a page reached by going back always has a next cursor, because
 * the row that one came from is there.
 */
export function pageOf<T>(
  found: readonly T[],
  limit: number,
  position: Position | undefined,
  cursors: Cursors,
  keyOf: (row: T) => readonly (string | number)[],
): Page<T> {
  const hasMore = found.length > limit;
  const rows = found.slice(0, limit);
  if (position?.before) rows.reverse();
  return { rows, hasMore, ...pageEdges(rows[0], rows.at(-1), hasMore, position, cursors, keyOf) };
}

/** Cuts a page from a list that is known as a whole, ordered by its keys, ascending or descending. */
export function pageOfAll<T>(
  all: readonly T[],
  limit: number,
  position: Position | undefined,
  cursors: Cursors,
  keyOf: (row: T) => readonly (string | number)[],
  order: 'asc' | 'desc' = 'asc',
): Page<T> {
  const isAhead = (row: T) => {
    if (position === undefined) return true;
    const isLater = isGreater(keyOf(row), position.key);
    const isEarlier = isGreater(position.key, keyOf(row));
    return position.before === (order === 'asc') ? isEarlier : isLater;
  };
  const ahead = all.filter(isAhead);
  if (position?.before) ahead.reverse();
  return pageOf(ahead.slice(0, limit + 1), limit, position, cursors, keyOf);
}

function isGreater(a: readonly (string | number)[], b: readonly (string | number)[]): boolean {
  const at = a.findIndex((part, place) => part !== b[place]);
  return at >= 0 && (a[at] as string | number) > (b[at] as string | number);
}

/** The cursors beside a page of which the first and last row are known. */
export function pageEdges<T>(
  first: T | undefined,
  last: T | undefined,
  hasMore: boolean,
  position: Position | undefined,
  cursors: Cursors,
  keyOf: (row: T) => readonly (string | number)[],
): Pick<Page<T>, 'nextCursor' | 'previousCursor'> {
  const edge = (row: T | undefined, before: boolean, wanted: boolean) =>
    row !== undefined && wanted ? cursors.encode({ key: keyOf(row), before }) : null;
  return {
    nextCursor: edge(last, false, hasMore || position?.before === true),
    previousCursor: edge(first, true, position !== undefined && (!position.before || hasMore)),
  };
}
