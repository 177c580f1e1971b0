import { createHash } from 'node:crypto';
import { dayNumber } from '@healthd/model';
import { unprocessable } from '../platform/failures.js';
import { isSqlInstant } from './sql-instant.js';

/** What a member of a key is: an instant in epoch milliseconds, an id that fits the column, a day, a UUID. */
export type KeyPart = 'instant' | 'int2' | 'int4' | 'date' | 'uuid';

/** Names the row a page begins beside. `before`: the page is before that row; otherwise after it. */
export interface Position {
  key: readonly (string | number)[];
  before: boolean;
}

/**
 * Opaque cursors of one list: bound to the route, the user and the filters, so that a cursor of another list is refused
 * instead of giving a wrong page. The date range is left out on purpose: a position is as good in a wider range, and a
 * client whose end is "now" may go on paging.
 */
export class Cursors {
  private readonly binding: string;
  private readonly prefix: string;

  /**
   * @param parts kinds of the members of a key, in order
   * @param list `version` goes up with every change of the key's meaning; cursors of another version are refused
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

  /** @throws Failure `unprocessable` on `query.cursor` when the text is no cursor of this list */
  decode(text: string | undefined): Position | undefined {
    if (text === undefined) return undefined;
    const payload = text.startsWith(this.prefix) ? parse(text.slice(this.prefix.length)) : undefined;
    if (!payload) throw unprocessable(['query', 'cursor'], 'Invalid cursor format.');
    const [binding, before, ...key] = payload;
    if (binding !== this.binding) {
      throw unprocessable(
        ['query', 'cursor'],
        'The cursor belongs to another user, list or set of filters. Begin again without it.',
      );
    }
    const fits = key.length === this.parts.length && this.parts.every((part, at) => isPart(part, key[at]));
    if (!fits || (before !== 0 && before !== 1)) throw unprocessable(['query', 'cursor'], 'Invalid cursor format.');
    return { key: key as (string | number)[], before: before === 1 };
  }
}

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

function parse(text: string): unknown[] | undefined {
  try {
    const payload: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}

// The year 0 has no place in a date column.
const DATE = /^(?!0000)\d{4}-\d\d-\d\d$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Cursors come from outside: nothing may reach a statement that its column cannot hold. */
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
