import { createHash } from 'node:crypto';
import { dayNumber, type Resolution } from '@healthd/model';
import type { DateOrInstant, Envelope } from '@healthd/schemas';
import { unprocessable } from '../platform/failures.js';
import { isSqlInstant } from './bounds.js';
import { instantText } from './presentation.js';

/** Type of a member of a key: an instant in epoch milliseconds, an id that fits the column, a date, or a UUID. */
type KeyPart = 'instant' | 'int2' | 'int4' | 'date' | 'uuid';

// Text of a date. A date column cannot store the year 0.
const DATE = /^(?!0000)\d{4}-\d\d-\d\d$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Checks a member of a key. Clients can send any cursor, and a statement must not get a value that its column cannot hold.
 */
function isPart(part: KeyPart, value: unknown): boolean {
  switch (part) {
    case 'instant':
      return typeof value === 'number' && isSqlInstant(value);
    case 'int2':
      return isIdUpTo(value, 2 ** 15);
    case 'int4':
      return isIdUpTo(value, 2 ** 31);
    case 'date':
      return typeof value === 'string' && DATE.test(value) && dayNumber(value) !== undefined;
    case 'uuid':
      return typeof value === 'string' && UUID.test(value);
  }
}

function isIdUpTo(value: unknown, limit: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < limit;
}

/** Row next to a page. If `before` is true, the page is before the row, otherwise after it. */
export interface Position {
  key: readonly (string | number)[];
  before: boolean;
}

/**
 * Opaque cursors of one list. They are bound to the route, the user and the filters, so that a cursor of another list is
 * rejected. They are not bound to the date range, because a client whose end is "now" must be able to continue paging.
 */
export class Cursors {
  private readonly binding: string;
  private readonly prefix: string;

  /**
   * @param parts types of the members of a key, in order
   * @param list `version` increases with every change of the key's meaning; cursors of other versions are rejected
   */
  constructor(
    private readonly parts: readonly KeyPart[],
    list: { route: string; userKey: number; filters: unknown; version?: number },
  ) {
    this.prefix = `v${list.version ?? 1}.`;
    const text = JSON.stringify([list.route, list.userKey, list.filters]);
    this.binding = createHash('sha256').update(text).digest('base64url').slice(0, 12);
  }

  encode(position: Position): string {
    const payload = JSON.stringify([this.binding, position.before ? 1 : 0, ...position.key]);
    return this.prefix + Buffer.from(payload).toString('base64url');
  }

  /** @throws Failure `unprocessable` on `query.cursor` if the text is not a cursor of this list */
  decode(text: string | undefined): Position | undefined {
    if (text === undefined) return undefined;
    const payload = text.startsWith(this.prefix) ? parse(text.slice(this.prefix.length)) : undefined;
    if (!payload) throw unprocessable(['query', 'cursor'], 'Invalid cursor format.');
    const [binding, before, ...key] = payload;
    if (binding !== this.binding) {
      throw unprocessable(
        ['query', 'cursor'],
        'The cursor belongs to another user, list or set of filters. Start again without a cursor.',
      );
    }
    const fits = key.length === this.parts.length && this.parts.every((part, at) => isPart(part, key[at]));
    if (!fits || (before !== 0 && before !== 1)) throw unprocessable(['query', 'cursor'], 'Invalid cursor format.');
    return { key: key as (string | number)[], before: before === 1 };
  }
}

function parse(text: string): unknown[] | undefined {
  try {
    const payload: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}

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
  const edge = (row: T | undefined, before: boolean, hasPage: boolean) =>
    row !== undefined && hasPage ? cursors.encode({ key: keyOf(row), before }) : null;
  return {
    nextCursor: edge(last, false, hasMore || position?.before === true),
    previousCursor: edge(first, true, position !== undefined && (!position.before || hasMore)),
  };
}

/** Members of an envelope other than its rows. */
interface PageFacts {
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
