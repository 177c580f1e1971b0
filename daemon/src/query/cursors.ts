import { createHash } from 'node:crypto';
import { dayNumber } from '@healthd/model';
import { unprocessable } from '../platform/failures.js';
import { isSqlInstant } from './sql-instant.js';

/** Type of a member of a key: an instant in epoch milliseconds, an id that fits the column, a date, or a UUID. */
type KeyPart = 'instant' | 'int2' | 'int4' | 'date' | 'uuid';

// A date column cannot store the year 0.
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
