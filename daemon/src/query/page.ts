import type { Resolution } from '@healthd/model';
import type { DateOrInstant, Envelope } from '@healthd/schemas';
import type { Cursors, Position } from './cursors.js';
import { instantText } from './presentation.js';

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

/** What an envelope says besides its rows. */
export interface PageFacts {
  start: DateOrInstant;
  end: DateOrInstant;
  totalCount: number | null;
  resolution?: Resolution;
  /** Local day before which samples were archived, where the range reaches into such days. */
  archivedBefore?: string | undefined;
  /** Providers whose rows are left out. */
  withheld?: readonly string[] | undefined;
}

/** Puts a page into the envelope that every list of health data has. */
export function pageEnvelope<Row, Item>(page: Page<Row>, toItem: (row: Row) => Item, facts: PageFacts): Envelope<Item> {
  return { data: page.rows.map(toItem), ...aroundRows(page, page.rows.length, facts) };
}

/** The members of an envelope that follow its rows. */
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
