import { dayNumber } from '@healthd/model';
import { isSqlInstant } from './sql-instant.js';

/** What a member of a key is: an instant in epoch milliseconds, an id that fits the column, a day, a UUID. */
export type KeyPart = 'instant' | 'int2' | 'int4' | 'date' | 'uuid';

// The year 0 has no place in a date column.
const DATE = /^(?!0000)\d{4}-\d\d-\d\d$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Cursors come from outside: nothing may reach a statement that its column cannot hold. */
export function isPart(part: KeyPart, value: unknown): boolean {
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
