import type { Resolution } from '@healthd/model';
import type { DateOrInstant, Envelope } from '@healthd/schemas';
import type { Cursors, Position } from './cursors.js';
import { instantText } from './presentation.js';

/** One page of rows in the order of the list, with the cursors of both directions. */
export interface Page<T> {
  rows: T[];
  nextCursor: string | null;
  previousCursor: string | null;
  hasMore: boolean;
}

/**
 * Cuts the rows of a keyset query into a page in the order of the list.
 * @param found up to `limit + 1` rows in the direction of travel, nearest first. `hasMore` refers to this direction. A page
 * reached backwards always has a next cursor, because the previous position exists.
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

/** Cuts a page from a complete list that is ordered by its keys. */
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

/** Returns the cursors of a page from its first and last row. */
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

/** Members of an envelope other than its rows. */
export interface PageFacts {
  start: DateOrInstant;
  end: DateOrInstant;
  totalCount: number | null;
  resolution?: Resolution;
  /** Local day before which samples were archived, if the range includes such days. */
  archivedBefore?: string | undefined;
  /** Providers whose rows are omitted. */
  withheld?: readonly string[] | undefined;
}

/** Puts a page into the envelope of all health data lists. */
export function pageEnvelope<Row, Item>(page: Page<Row>, toItem: (row: Row) => Item, facts: PageFacts): Envelope<Item> {
  return { data: page.rows.map(toItem), ...aroundRows(page, page.rows.length, facts) };
}

/** Returns the members of an envelope that follow its rows. */
export function aroundRows(
  page: Omit<Page<unknown>, 'rows'>,
  rowCount: number,
  facts: PageFacts,
): Omit<Envelope<unknown>, 'data'> {
  return {
    pagination: {
      next_cursor: page.nextCursor,
      previous_cursor: page.previousCursor,
      has_more: page.hasMore,
      total_count: facts.totalCount,
    },
    metadata: {
      resolution: facts.resolution ?? null,
      sample_count: rowCount,
      start_time: instantText(facts.start.ms),
      end_time: instantText(facts.end.ms),
      ...(facts.archivedBefore !== undefined && { archived_before: facts.archivedBefore }),
      ...(facts.withheld !== undefined && { withheld: [...facts.withheld] }),
    },
  };
}
